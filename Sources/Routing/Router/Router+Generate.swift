public import Foundation
import Registry
internal import RoutePatterns

extension Router {
  /// Returns a URL that opens a route with the given parameters.
  ///
  /// ```swift
  /// let url = try router.url(for: .orderDetail, OrderLink(id: 7))  // shop://order/7
  /// ```
  ///
  /// The method uses the route's first pattern that it can fill. Properties that aren't parameters
  /// of the pattern become query items in encoding order, those of a dictionary in order of their
  /// names. An array becomes one item for each element, and nil is left out. Text is
  /// percent-encoded. The method skips a pattern if the URL would open another route of this router
  /// or be read back as different parameters. To check empty lists, empty text, and nil, it decodes
  /// the URL's parameters.
  ///
  /// - Parameters:
  ///   - route: The route to open.
  ///   - parameters: The parameters of the route.
  ///   - scheme: The scheme of the patterns to use, or nil to use all patterns.
  /// - Throws: An encoding error, or ``RouteError``, for example if a parameter is missing.
  public func url<Parameters: Encodable, Outcome>(
    for route: Route<Parameters, Outcome>, _ parameters: Parameters, scheme: String? = nil
  ) throws -> URL {
    let encoder = RouteEncoder()
    try encoder.encode(parameters)
    // Equal dictionaries can have different orders.
    let names = parameters is [AnyHashable: Any] ? encoder.names.ordered(by: <) : encoder.names
    return try url(for: route.id, route.patterns, encoder.value, names, scheme) { decoder in
      let read = RouteEncoder()
      try route.decode.map { decode in try read.encode(decode(decoder)) }
      return read.value
    }
  }

  /// Returns a URL that opens a route without parameters.
  public func url<Outcome>(for route: Route<Void, Outcome>, scheme: String? = nil) throws -> URL {
    try url(for: route.id, route.patterns, .dictionary([:]), [], scheme) { _ in .null }
  }

  private func url(
    for route: String, _ patterns: [RoutePattern], _ value: PropertyValue, _ names: [String], _ scheme: String?,
    _ read: (RouteDecoder) throws -> PropertyValue
  ) throws -> URL {
    let table = table()
    var problem: RouteError?
    for pattern in patterns {
      guard let syntax = try? PatternSyntax(pattern.text) else { continue }
      if let scheme, syntax.scheme != scheme.lowercased() { continue }
      for variant in variants(syntax, value) {
        do {
          let texts = try URLTexts(value, names, variant)
          let text = try table.generate(variant, of: route, query: texts.query) { texts.path[$0] }
          guard let url = URL(string: text) else {
            throw PatternGenerationError("Foundation does not accept \(text.quotedForDisplay()) as a URL")
          }
          try texts.checkEmptyValues(of: value, names, read)
          return url
        } catch {
          if let name = (error as? PatternGenerationError)?.missingParameter {
            problem = problem ?? RouteError(.missingParameter(pattern: variant.text, name: name), route)
          } else {
            problem = problem ?? RouteError(.notGenerated, route, "\(error)")
          }
        }
      }
    }
    let restriction = scheme.map { " with the scheme '\($0)'" } ?? ""
    throw problem ?? RouteError(.notGenerated, route, "it has no pattern\(restriction); add one to its declaration")
  }

  /// Returns a pattern's variants, except those with an optional parameter that has no value.
  ///
  /// Variants with more parameters come first, then variants with fewer segments. A required
  /// parameter can lack a value; generating the URL then fails. A single value excludes no variant.
  private func variants(_ pattern: PatternSyntax, _ value: PropertyValue) -> [PatternSyntax] {
    let variants = pattern.variants
    guard case .dictionary(let values) = value, let least = variants.last, variants.count > 1 else { return variants }
    let required = Set(least.parameters.map(\.name))
    func size(_ variant: PatternSyntax) -> (Int, Int) {
      (-variant.parameters.count, variant.segments.count + (variant.fragment?.count ?? 0))
    }
    return variants.filter { variant in
      variant.parameters.allSatisfy { required.contains($0.name) || values[$0.name, default: .null] != .null }
    }.ordered { size($0) < size($1) }
  }
}

private struct URLTexts {
  var path: [String: String] = [:]
  var query: [URLParts.QueryItem] = []

  init(_ value: PropertyValue, _ names: [String], _ pattern: PatternSyntax) throws {
    let parameters = pattern.parameters.map(\.name)
    guard case .dictionary(let values) = value else {
      // A single value, such as a string, fills the pattern's only parameter.
      guard let text = value.text, parameters.count == 1 else {
        throw PatternGenerationError(
          "its parameters are \(value.summary), and the pattern '\(pattern.text)' has \(parameters.count.counted("parameter"));"
            + " a value without names must be a string or number, and needs a pattern with exactly one parameter")
      }
      path[parameters[0]] = text
      return
    }
    for name in names {
      guard let value = values[name], value != .null else { continue }
      let isParameter = parameters.contains(name)
      var (elements, subject) = ([value], "'\(name)' is")
      if case .array(let list) = value, !isParameter { (elements, subject) = (list, "the list '\(name)' contains") }
      for element in elements {
        guard let text = element.text else {
          throw PatternGenerationError(
            "\(subject) \(element.summary), which cannot be part of '\(pattern.text)'; use"
              + " \(isParameter ? "one string or number" : "strings or numbers")")
        }
        if isParameter { path[name] = text } else { query.append((name, text)) }
      }
    }
  }

  /// Checks that empty lists, empty text, and nil are read back unchanged.
  ///
  /// A URL can't contain an empty list or nil, and empty text can be read as a missing value, so
  /// the result depends on the parameters' type. Other values need no check.
  func checkEmptyValues(
    of value: PropertyValue, _ names: [String], _ read: (RouteDecoder) throws -> PropertyValue
  ) throws {
    guard case .dictionary(let values) = value else { return }
    let empty = names.filter { [.array([]), .string(""), .null].contains(values[$0]) }
    guard !empty.isEmpty else { return }
    let found: PropertyValue
    do {
      found = try read(RouteDecoder(path: path.map { ($0, $1) }, query: query))
    } catch {
      throw PatternGenerationError(
        "the URL would not be opened: \(error.decodingReason); a URL does not contain the"
          + " empty or nil \(empty.map { $0.quotedForDisplay() }.joined(separator: ", "))")
    }
    guard case .dictionary(let found) = found else { return }
    for name in empty where found[name, default: .null] != values[name] {
      let isNil = values[name] == .null
      throw PatternGenerationError(
        "\(name.quotedForDisplay()) is \(isNil ? "nil" : "empty"), and would be read back as a"
          + " \(isNil ? "value; use that value" : "missing value; use nil or a value")")
    }
  }
}
