public import Foundation
import Registry
internal import RoutePatterns

extension Router {
  /// Makes a URL that opens a route with some parameters.
  ///
  /// ```swift
  /// let url = try router.url(for: .orderDetail, OrderLink(id: 7))  // shop://order/7
  /// ```
  ///
  /// By the first of the route's patterns for which it can be done. What is no parameter of the pattern goes into the query, in the
  /// order in which it is encoded, a list as one item for each element, and what is nil nowhere. Everything is percent-encoded as
  /// need be, and read back as it was: what would not be is an error.
  ///
  /// - Parameter scheme: Which of the route's patterns are considered, by their scheme; all of them if nil.
  /// - Throws: ``RouteError``, which names a parameter that is missing, and what encoding throws.
  public func url<Parameters: Encodable, Outcome>(
    for route: Route<Parameters, Outcome>, _ parameters: Parameters, scheme: String? = nil
  ) throws -> URL {
    let encoder = RouteEncoder()
    try encoder.set(parameters)
    return try url(for: "\(route.id)", route.patterns, encoder.value, encoder.names, scheme)
  }

  /// Makes a URL that opens a route without parameters.
  public func url<Outcome>(for route: Route<Void, Outcome>, scheme: String? = nil) throws -> URL {
    try url(for: "\(route.id)", route.patterns, .dictionary([:]), [], scheme)
  }

  private func url(
    for route: String, _ patterns: [RoutePattern], _ value: PropertyValue, _ names: [String], _ scheme: String?
  ) throws -> URL {
    let table = currentTable()
    var problem: RouteError?
    for pattern in patterns {
      guard let syntax = try? PatternSyntax(pattern.text) else { continue }
      if let scheme, syntax.scheme != scheme.lowercased() { continue }
      do throws(RouteError) {
        return try url(for: route, syntax, try URLTexts(value, names, syntax, route), table)
      } catch {
        problem = problem ?? error
      }
    }
    throw problem
      ?? RouteError.notGenerated(
        route: route,
        reason: "it has no pattern\(scheme.map { " of the scheme \($0)" } ?? ""): give it one where it is declared")
  }

  private func url(
    for route: String, _ pattern: PatternSyntax, _ texts: URLTexts, _ table: RouteTable
  ) throws(RouteError) -> URL {
    do throws(PatternGenerationError) {
      let text = try table.generate(pattern, of: route, query: texts.query) { texts.path[$0] }
      if let url = URL(string: text) { return url }
      throw PatternGenerationError.unusable(name: "", value: text, reason: "Foundation takes it for no URL")
    } catch {
      if case .missing(let name, _) = error { throw .missingParameter(route: route, pattern: pattern.text, name: name) }
      throw .notGenerated(route: route, reason: "\(error)")
    }
  }
}

/// Encoded parameters, as the texts of one pattern's URL.
private struct URLTexts {
  var path: [String: String] = [:]
  var query: [URLParts.QueryItem] = []

  init(_ value: PropertyValue, _ names: [String], _ pattern: PatternSyntax, _ route: String) throws(RouteError) {
    let parameters = pattern.parameters.map(\.name)
    guard case .dictionary(let values) = value else {
      // Parameters that are one value: the pattern's only one.
      guard let text = value.text, parameters.count == 1 else {
        throw .notGenerated(
          route: route,
          reason:
            "its parameters are \(value.kind), which is for patterns with exactly one parameter, and \(pattern.text) has"
            + " \(parameters.count)")
      }
      path[parameters[0]] = text
      return
    }
    for name in names {
      guard let value = values[name], value != .null else { continue }
      if let text = value.text {
        if parameters.contains(name) { path[name] = text } else { query.append(.init(name: name, value: text)) }
        continue
      }
      guard case .array(let elements) = value, !parameters.contains(name) else {
        throw .notGenerated(
          route: route,
          reason: "\(name) is \(value.kind), which is no part of \(pattern.text): give it one text or number")
      }
      for element in elements {
        guard let text = element.text else {
          throw .notGenerated(
            route: route, reason: "there is \(element.kind) in the list \(name), which is none of texts")
        }
        query.append(.init(name: name, value: text))
      }
    }
  }
}
