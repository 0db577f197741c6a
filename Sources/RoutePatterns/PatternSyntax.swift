/// A pattern that URLs are compared with, taken apart.
///
/// `scheme://host:port/path`, without query and fragment, or `scheme:**` for whatever else has that scheme. In the path:
///
/// | segment | matches |
/// |-|-|
/// | `orders` | itself, decoded; what means something in patterns is written encoded: `%3A`, `%2A` |
/// | `:id` | one segment that is not empty |
/// | `:id(Int)` | one that is such a value; see ``ParameterType`` |
/// | `:id.html`, `:id(Int).html` | one that ends so; the parameter is what stands in front |
/// | `*` | one segment that is not empty |
/// | `**` | the rest, also if there is none; only at the end |
///
/// The host is one such segment, without `**`. A slash at the end says nothing.
package struct PatternSyntax: Sendable, CustomStringConvertible {
  /// A part between slashes, or the host.
  package enum Segment: Sendable {
    /// Decoded; a host in the form in which hosts are compared.
    case literal(String)
    case parameter(Parameter)
    /// `*`.
    case wildcard
    /// `**`.
    case rest
  }

  /// A named part of the URL.
  package struct Parameter: Sendable {
    package let name: String
    /// What its text must be; nil for any.
    package let type: ParameterType?
    /// What the segment must end with, decoded; empty as a rule.
    package let suffix: String
  }

  /// As it was written.
  package let text: String
  /// In small letters.
  package let scheme: String
  /// Nil for the fallback of a scheme.
  package let host: Segment?
  /// Nil if none is given, and also if it is the scheme's own.
  package let port: Int?
  /// The path's, from the left.
  package let segments: [Segment]
  /// Whether a URL made from it ends with a slash.
  let hasTrailingSlash: Bool

  /// Whether it is `scheme:**`.
  package var isSchemeFallback: Bool { host == nil }

  /// The host's and the path's parameters, from the left.
  package var parameters: [Parameter] {
    ((host.map { [$0] } ?? []) + segments).compactMap { segment in
      if case .parameter(let parameter) = segment { parameter } else { nil }
    }
  }

  package var description: String { text }

  /// Takes a text apart.
  ///
  /// - Throws: ``PatternError`` with the place and what to write instead.
  package init(_ text: String) throws(PatternError) {
    var parser = PatternParser(text)
    self = try parser.parse()
  }

  init(
    text: String, scheme: String, host: Segment?, port: Int?, segments: [Segment], hasTrailingSlash: Bool
  ) {
    self.text = text
    self.scheme = scheme
    self.host = host
    self.port = port
    self.segments = segments
    self.hasTrailingSlash = hasTrailingSlash
  }
}
