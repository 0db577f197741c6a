/// A difference between a URL and a pattern that doesn't match it.
package enum PatternDifference: Sendable, Equatable {
  /// Text that differs from the scheme or a literal of the pattern.
  case literal(String, found: String)
  /// Any other mismatch.
  case rejected(reason: String)
  /// A segment or fragment that is in the pattern but not in the URL, with decoded literals.
  case missing(String)
  /// A segment that is in the URL but not in the pattern.
  case extra(String)

  package var isExtra: Bool { if case .extra = self { true } else { false } }
}

extension PatternSyntax {
  /// A Boolean value that indicates whether the path ends in a parameter that matches any text, and
  /// no fragment follows.
  package var endsInText: Bool {
    guard case .parameter(let last)? = segments.last else { return false }
    return last.type == nil && last.suffix.isEmpty && fragment == nil
  }

  /// Returns the differences between a URL and the pattern.
  ///
  /// The result is nil if the pattern is the fallback of a scheme, or if the URL has no host.
  package func differences(from url: URLParts) -> [PatternDifference]? {
    guard let host, let hostRange = url.hostRange else { return nil }
    // Literals and suffixes are canonical, so compare them with the canonical host, not its value.
    let comparesValue = if case .parameter(let parameter) = host { parameter.suffix.isEmpty } else { false }
    let start = [url.schemeRange, comparesValue ? url.hostValueRange : hostRange]
      .map { URLParts.Piece(decoded: $0, isMalformed: false) }
    var differences = self.differences([.literal(scheme), host], from: start[...], url)
    if port != url.port {
      let expected = port.map { "the port must be \($0)" } ?? "the pattern has no port"
      differences.append(
        .rejected(reason: "\(expected), and the URL has \(url.port.map { "the port \($0)" } ?? "none")"))
    }
    differences += self.differences(segments, from: url.pieces[..<url.pathCount], url)
    if let fragment {
      // The first piece is the separator.
      let pieces = url.pieces[url.pathCount...]
      differences +=
        pieces.isEmpty
        ? [.missing("#" + fragment.map { "/" + $0.text }.joined())]
        : self.differences(fragment, from: pieces.dropFirst(), url)
    }
    if url.hasDotSegments {
      differences.append(.rejected(reason: "a path with '.' or '..' matches only the fallback of a scheme"))
    }
    return differences
  }

  private func differences(
    _ segments: [Segment], from pieces: ArraySlice<URLParts.Piece>, _ url: URLParts
  ) -> [PatternDifference] {
    var pieces = pieces
    var differences: [PatternDifference] = []
    for segment in segments {
      if case .rest = segment {
        pieces = []
      } else if let piece = pieces.popFirst() {
        if let difference = segment.difference(from: url.bytes[piece.decoded], isMalformed: piece.isMalformed) {
          differences.append(difference)
        }
      } else {
        differences.append(.missing(segment.text))
      }
    }
    return differences + pieces.map { .extra(url.bytes[$0.decoded].text) }
  }
}

extension PatternSyntax.Segment {
  /// Returns the difference from a decoded component of a URL, or nil if the segment matches it.
  fileprivate func difference(from found: ArraySlice<UInt8>, isMalformed: Bool) -> PatternDifference? {
    switch self {
    case .literal(let literal):
      return isMalformed || !found.elementsEqual(literal.utf8) ? .literal(literal, found: found.text) : nil
    case .parameter(let parameter): return parameter.reason(against: found, isMalformed).map { .rejected(reason: $0) }
    case .wildcard: return found.isEmpty ? .rejected(reason: "the segment for '*' is empty") : nil
    case .rest: return nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .literal(let text): text
    case .parameter(let parameter):
      ":\(parameter.name)\(parameter.type.map { "(\($0.rawValue))" } ?? "")\(parameter.suffix)"
    case .wildcard: "*"
    case .rest: "**"
    }
  }
}

extension PatternSyntax.Parameter {
  /// Returns the reason why the parameter doesn't match a segment, or nil if it matches.
  fileprivate func reason(against found: ArraySlice<UInt8>, _ isMalformed: Bool) -> String? {
    if found.isEmpty { return "the value of its parameter '\(name)' is empty" }
    guard !suffix.isEmpty || type != nil else { return nil }
    if isMalformed { return "the value of its parameter '\(name)' is not valid percent-encoded text" }
    let value = found.dropLast(suffix.utf8.count)
    guard !value.isEmpty, found.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
      return "'\(suffix)' must follow the value of its parameter '\(name)', and the URL has '\(found.text)'"
    }
    guard let type, !type.accepts(value) else { return nil }
    return "its parameter '\(name)' accepts only '\(type.rawValue)', and the URL has '\(value.text)'"
  }
}
