/// A URL taken apart (RFC 3986), for matching.
package struct URLParts: Sendable {
  /// A `key=value` of a query, decoded. Plus signs stay what they are.
  package struct QueryItem: Sendable, Equatable {
    package let name: String
    /// Nil where there is no `=`.
    package let value: String?
    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// As it was given.
  package let text: String
  /// In small letters.
  package var scheme: String { "" }
  /// What stands in front of the `@`, as it was given; plays no part in matching.
  package var userInfo: String? { nil }
  /// In the form in which hosts are compared: decoded, in small letters, international ones in ASCII, IPv6 in brackets. Nil
  /// without `//`.
  package var host: String? { nil }
  /// Nil if none is given, and also if it is the scheme's own.
  package var port: Int? { nil }
  /// The path's segments as they were given, still encoded; without the empty one behind a slash at the end.
  package var encodedSegments: [String] { [] }
  /// The path's segments decoded; those that cannot be decoded as they were given.
  package var segments: [String] { [] }
  /// As it was given, still encoded.
  package var encodedQuery: String? { nil }
  /// All in order, with those that have the same name.
  package var queryItems: [QueryItem] { [] }
  /// Decoded.
  package var fragment: String? { nil }

  /// Takes a URL apart.
  package init(_ text: String) throws(URLPartsError) {
    self.text = text
  }
}

/// Why a text is no URL that could be matched.
package struct URLPartsError: Error, Sendable, CustomStringConvertible {
  /// In bytes of UTF-8 from the start.
  package let offset: Int
  /// What is wrong.
  package let reason: String

  package var description: String { "\(reason), at byte \(offset) of the URL" }
}
