/// Patterns, for finding those that match a URL. A value; building it again and again is the caller's to avoid.
package struct PatternTrie: Sendable {
  /// Two patterns that match the same URLs, and neither before the other.
  package struct Conflict: Sendable {
    /// Of the smaller payload: found first.
    package let first: (pattern: PatternSyntax, payload: Int)
    package let second: (pattern: PatternSyntax, payload: Int)
  }

  package init() {}

  /// Adds a pattern. In which order patterns are added does not matter: of those with the same shape, the one with
  /// the smaller payload is found first.
  package mutating func insert(_ pattern: PatternSyntax, payload: Int) {}

  /// Pairs of patterns of the same shape, whatever their payloads: each with the one that is found first.
  package var conflicts: [Conflict] { [] }

  /// The patterns that match, in the order of precedence, each looked for when it is asked for.
  package func match(_ url: URLParts) -> PatternMatches { PatternMatches() }

  /// Fills a pattern that is in here and makes sure that the URL leads back to its payload with the same parameters.
  package func generate(
    _ pattern: PatternSyntax, payload: Int, query: [URLParts.QueryItem] = [], fragment: String? = nil,
    _ parameters: (_ name: String) -> String?
  ) throws(PatternGenerationError) -> String { "" }
}

/// What matches a URL, found as it is asked for.
package struct PatternMatches: Sequence, IteratorProtocol, Sendable {
  package mutating func next() -> PatternMatch? { nil }
}

/// A pattern that matches a URL.
package struct PatternMatch: Sendable {
  package let pattern: PatternSyntax
  package let payload: Int
  /// The parameters from the left, decoded.
  package let parameters: [(name: String, value: String)]
  /// What `**` stands for, segment by segment, decoded; nil without one.
  package let rest: [String]?
}

/// Why a pattern cannot be filled.
package enum PatternGenerationError: Error, Sendable {
  /// There is no value for a parameter.
  case missing(name: String)
  /// A value that would be read back as another or as none.
  case unusable(name: String, value: String, reason: String)
  /// The pattern has `*` or `**`, for which there are no values.
  case wildcard
  /// The URL would be opened by another pattern, which comes first.
  case taken(url: String, by: PatternSyntax)
}

extension PatternSyntax {
  /// Fills the parameters in, encoded as need be, and appends a query and fragment.
  package func generate(
    query: [URLParts.QueryItem] = [], fragment: String? = nil, _ parameters: (_ name: String) -> String?
  ) throws(PatternGenerationError) -> String { "" }
}
