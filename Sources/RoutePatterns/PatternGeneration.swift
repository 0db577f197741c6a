/// An error that prevents generating a URL from a pattern.
package struct PatternGenerationError: Error, Sendable, CustomStringConvertible {
  package let description: String
  /// The name of the parameter that has no value, or nil for any other problem.
  package var missingParameter: String?

  package init(_ description: String) {
    self.description = description
  }
}

extension String {
  /// The text in quotes, shortened to 100 code points to leave room for the rest of a message.
  fileprivate var quoted: String {
    guard let end = unicodeScalars.index(startIndex, offsetBy: 100, limitedBy: endIndex), end < endIndex
    else { return "'\(self)'" }
    return "'\(self[..<end])…' (\(utf8.count) bytes)"
  }
}

extension PatternSyntax {
  /// Returns a URL that matches this pattern with the given parameters.
  ///
  /// - Parameters:
  ///   - query: The query items in URL order. Their names must differ from the names of parameters.
  ///   - parameters: A closure that returns the unencoded value of a parameter, or nil.
  /// - Throws: ``PatternGenerationError``, for example if a value is missing.
  package func generate(
    query: [URLParts.QueryItem] = [], _ parameters: (_ name: String) -> String?
  ) throws(PatternGenerationError) -> String {
    guard let host else { throw wildcard }
    var url = scheme + "://"
    switch host {
    case .literal(let text): url += text
    case .parameter(let parameter): url += try hostText(parameter, value(parameter, parameters))
    case .wildcard, .rest: throw wildcard
    }
    if let port { url += ":\(port)" }
    try append(segments, to: &url, parameters)
    if hasTrailingSlash || segments.last?.isEmpty == true { url += "/" }
    try append(query, to: &url)
    if let fragment {
      url += "#"
      try append(fragment, to: &url, parameters)
      // An empty last segment needs another slash, and a fragment without segments is `#/`.
      if fragment.last?.isEmpty ?? true { url += "/" }
    }
    do throws(URLPartsError) {
      _ = try URLParts(url)
    } catch {
      throw PatternGenerationError("\(url.quoted) cannot be opened: \(error)")
    }
    return url
  }

  private func append(
    _ segments: [Segment], to url: inout String, _ parameters: (String) -> String?
  ) throws(PatternGenerationError) {
    for segment in segments {
      url += "/"
      switch segment {
      case .literal(let text): PercentEncoding.append(text, to: &url, in: .segment)
      case .parameter(let parameter):
        let value = try value(parameter, parameters)
        if Array((value + parameter.suffix).utf8).isDots {
          throw parameter.unusable(value, "the segments '.' and '..' lead to another path")
        }
        PercentEncoding.append(value + parameter.suffix, to: &url, in: .segment)
      case .wildcard, .rest: throw wildcard
      }
    }
  }

  private var wildcard: PatternGenerationError {
    PatternGenerationError(
      "the pattern '\(text)' has a wildcard, which has no value; give the route a pattern without wildcards")
  }

  /// Returns a parameter's value, or throws if the value is missing, empty, or of another type.
  private func value(
    _ parameter: Parameter, _ parameters: (String) -> String?
  ) throws(PatternGenerationError) -> String {
    guard let value = parameters(parameter.name) else {
      var error = PatternGenerationError("the pattern '\(text)' needs a value for the parameter '\(parameter.name)'")
      error.missingParameter = parameter.name
      throw error
    }
    guard !value.utf8.isEmpty else { throw parameter.unusable(value, "an empty segment matches no parameter") }
    if let type = parameter.type, !type.accepts(Array(value.utf8)[...]) {
      throw parameter.unusable(value, "the pattern '\(text)' requires a value of the type '\(type.rawValue)'")
    }
    return value
  }

  /// Returns the host for a parameter's value, or throws if it would be read back differently.
  private func hostText(_ parameter: Parameter, _ value: String) throws(PatternGenerationError) -> String {
    let host = value + parameter.suffix
    var encoded = ""
    PercentEncoding.append(host, to: &encoded, in: .host)
    let isName = URLParts.port(of: scheme.utf8) != nil
    guard let forms = HostText(encoded.utf8, isName: isName) else {
      throw parameter.unusable(value, "\(host.quoted) is not a host")
    }
    // Write international domain names in their canonical form.
    let isInternational = isName && !host.utf8.allSatisfy { $0 < 0x80 }
    let written = isInternational ? forms.canonical[...].text : encoded
    let read = HostText(written.utf8, isName: isName)?.value ?? []
    // Leave out the suffix, which is canonical in the pattern, but decoded in `read`.
    guard HostText.part(of: read[...], before: parameter.suffix.utf8).elementsEqual(value.utf8) else {
      throw parameter.unusable(value, "this host is read back as \(read[...].text.quoted)")
    }
    return written
  }

  private func append(_ query: [URLParts.QueryItem], to url: inout String) throws(PatternGenerationError) {
    for (number, item) in query.enumerated() {
      if item.name.utf8.isEmpty, item.value == nil {
        throw PatternGenerationError("a query item without a name and a value is not read back")
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

extension PatternSyntax.Parameter {
  fileprivate func unusable(_ value: String, _ reason: String) -> PatternGenerationError {
    PatternGenerationError("the parameter '\(name)' cannot be \(value.quoted): \(reason)")
  }
}

extension PatternSyntax.Segment {
  fileprivate var isEmpty: Bool {
    if case .literal(let text) = self { text.utf8.isEmpty } else { false }
  }
}

extension PatternTrie {
  /// Returns a URL that this trie matches to the given payload and parameters.
  ///
  /// - Parameters:
  ///   - pattern: A pattern in this trie.
  ///   - payload: The payload of the pattern.
  ///   - query: The query items in URL order. Their names must differ from the names of parameters.
  ///   - parameters: A closure that returns the unencoded value of a parameter, or nil.
  /// - Throws: ``PatternGenerationError``, for example if another pattern matches the URL and takes
  ///   precedence: with a pattern for `/orders/new`, the pattern `/orders/:id` has no URL for the
  ///   order `new`.
  package func generate(
    _ pattern: PatternSyntax, payload: Int, query: [URLParts.QueryItem] = [],
    _ parameters: (_ name: String) -> String?
  ) throws(PatternGenerationError) -> String {
    let url = try pattern.generate(query: query, parameters)
    // Neither guard fails, because a pattern generates only URLs that it matches.
    guard let parts = try? URLParts(url) else { return url }
    var search = search(parts)
    guard let first = next(parts, &search) else { return url }
    let isReadBack =
      first.payload == payload && first.parameters.count == pattern.parameters.count
      && first.parameters.allSatisfy { name, value in
        pattern.parameters.contains { $0.name.utf8.elementsEqual(name.utf8) }
          && parameters(name)?.utf8.elementsEqual(value.utf8) == true
      }
    if isReadBack { return url }
    throw PatternGenerationError(
      "\(url.quoted) also matches the pattern '\(first.pattern)', which takes precedence")
  }
}
