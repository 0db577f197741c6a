/// Why a pattern cannot be filled.
package enum PatternGenerationError: Error, Sendable, CustomStringConvertible {
  /// There is no value for a parameter.
  case missing(name: String, pattern: String)
  /// A value that would be read back as another or as none.
  case unusable(name: String, value: String, reason: String)
  /// The pattern has `*` or `**`, for which there are no values.
  case wildcard(pattern: String)
  /// The URL would be opened by another pattern, which comes first.
  case taken(url: String, by: PatternSyntax)
  /// The URL is one that nothing opens, whatever the patterns.
  case unopened(url: String, reason: String)

  package var description: String {
    switch self {
    case .missing(let name, let pattern): "the pattern \(pattern) needs a value for the parameter \(name)"
    case .unusable(let name, let value, let reason): "the parameter \(name) cannot be \"\(value)\": \(reason)"
    case .wildcard(let pattern):
      "the pattern \(pattern) has a wildcard, for which there is no value: give the route a pattern without"
    case .taken(let url, let other): "\(url) would be taken by the pattern \(other), which comes first"
    case .unopened(let url, let reason): "nothing would open \(url): \(reason)"
    }
  }
}

extension PatternSyntax {
  /// Fills the parameters in, encoded as need be, and appends a query and a fragment.
  ///
  /// Whatever comes out matches this pattern, with these parameters.
  ///
  /// - Parameter query: In order; names that parameters have are the caller's to leave out.
  /// - Throws: ``PatternGenerationError`` with the parameter that is missing or would be read back otherwise.
  package func generate(
    query: [URLParts.QueryItem] = [], fragment: String? = nil, _ parameters: (_ name: String) -> String?
  ) throws(PatternGenerationError) -> String {
    guard let host else { throw .wildcard(pattern: text) }
    var url = scheme + "://"
    switch host {
    case .literal(let text): url += text
    case .parameter(let parameter): url += try hostText(parameter, value(parameter, parameters))
    case .wildcard, .rest: throw .wildcard(pattern: text)
    }
    if let port { url += ":\(port)" }
    for segment in segments {
      url += "/"
      switch segment {
      case .literal(let text): PercentEncoding.append(text, to: &url, in: .segment)
      case .parameter(let parameter):
        let value = try value(parameter, parameters)
        if Array((value + parameter.suffix).utf8).isDots {
          throw .unusable(
            name: parameter.name, value: value, reason: "the segments . and .. of a path lead to another one")
        }
        PercentEncoding.append(value + parameter.suffix, to: &url, in: .segment)
      case .wildcard, .rest: throw .wildcard(pattern: text)
      }
    }
    if hasTrailingSlash { url += "/" }
    try append(query, to: &url)
    if let fragment {
      url += "#"
      PercentEncoding.append(fragment, to: &url, in: .fragment)
    }
    do throws(URLPartsError) {
      _ = try URLParts(url)
    } catch {
      throw .unopened(url: url, reason: error.description)
    }
    return url
  }

  /// The value of a parameter, if it is one that its type and place allow.
  private func value(
    _ parameter: Parameter, _ parameters: (String) -> String?
  ) throws(PatternGenerationError) -> String {
    guard let value = parameters(parameter.name) else { throw .missing(name: parameter.name, pattern: text) }
    guard !value.utf8.isEmpty else {
      throw .unusable(name: parameter.name, value: value, reason: "an empty segment matches no parameter")
    }
    if let type = parameter.type, !type.accepts(Array(value.utf8)[...]) {
      throw .unusable(
        name: parameter.name, value: value, reason: "the pattern \(text) takes a value of \(type.rawValue)")
    }
    return value
  }

  private func hostText(_ parameter: Parameter, _ value: String) throws(PatternGenerationError) -> String {
    let host = value + parameter.suffix
    guard let canonical = HostText.canonical(host.utf8) else {
      throw .unusable(name: parameter.name, value: value, reason: "no host is called \(host)")
    }
    guard canonical.elementsEqual(host.utf8) else {
      throw .unusable(name: parameter.name, value: value, reason: "this host is written \(canonical[...].text)")
    }
    return host
  }

  private func append(_ query: [URLParts.QueryItem], to url: inout String) throws(PatternGenerationError) {
    for (number, item) in query.enumerated() {
      if item.name.utf8.isEmpty, item.value == nil {
        throw .unusable(name: "", value: "", reason: "a part of the query without name and value is read as none")
      }
      url += number == 0 ? "?" : "&"
      PercentEncoding.append(item.name, to: &url, in: .query)
      if let value = item.value {
        url += "="
        PercentEncoding.append(value, to: &url, in: .query)
      }
    }
  }
}

extension PatternTrie {
  /// Fills a pattern that is in here, and makes sure that the URL is read back as its payload with the same parameters.
  ///
  /// - Throws: ``PatternGenerationError``; with the other pattern, if one that comes first matches too: `/orders/new` is no
  ///   place for an order that is called so.
  package func generate(
    _ pattern: PatternSyntax, payload: Int, query: [URLParts.QueryItem] = [], fragment: String? = nil,
    _ parameters: (_ name: String) -> String?
  ) throws(PatternGenerationError) -> String {
    let url = try pattern.generate(query: query, fragment: fragment, parameters)
    // What a pattern generates is a URL, and its own pattern matches it.
    guard let parts = try? URLParts(url) else { return url }
    var matches = match(parts)
    guard let first = matches.next() else { return url }
    let isReadBack =
      first.payload == payload && first.parameters.count == pattern.parameters.count
      && first.parameters.allSatisfy { name, value in
        pattern.parameters.contains { $0.name.utf8.elementsEqual(name.utf8) }
          && parameters(name)?.utf8.elementsEqual(value.utf8) == true
      }
    guard isReadBack else { throw .taken(url: url, by: first.pattern) }
    return url
  }
}
