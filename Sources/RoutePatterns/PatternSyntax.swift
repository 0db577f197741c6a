/// The parsed form of a URL pattern.
///
/// The text is `scheme://host:port/path#/fragment` without a query, or `scheme:**`, which matches
/// the scheme's URLs that no other pattern matches. The fragment is optional; a pattern without a
/// fragment matches every fragment. The path and the fragment consist of these segments:
///
/// | Segment | Matches |
/// |-|-|
/// | `orders` | the same text, decoded; special characters are encoded, as in `%3A` and `%2A` |
/// | `:id` | a nonempty segment |
/// | `:id(Int)` | a value of the type; see ``ParameterType`` |
/// | `:id.html`, `:id(Int).html` | a value, followed by the suffix |
/// | `*` | a nonempty segment |
/// | `**` | the remaining segments, if any; only at the end |
/// | `(/page/:page)` | these segments, or no segments; see ``variants`` |
///
/// The host is one segment other than `**`. A trailing slash affects only generated URLs.
package struct PatternSyntax: Sendable, CustomStringConvertible {
  /// A segment of the path or the fragment, or the host.
  package enum Segment: Sendable {
    /// Decoded text; in canonical form for a host.
    case literal(String)
    case parameter(Parameter)
    /// A single nonempty segment, written `*`.
    case wildcard
    /// All remaining segments, written `**`.
    case rest
  }

  package struct Parameter: Sendable {
    package let name: String
    /// The type of the value, or nil if the parameter matches any text.
    package let type: ParameterType?
    /// The text after the value, decoded or, in a host, canonical; usually empty.
    package let suffix: String
  }

  package let text: String
  /// The scheme in lowercase.
  package let scheme: String
  /// The host, or nil for the fallback of a scheme.
  package private(set) var host: Segment?
  /// The port, or nil if the pattern has no port or the scheme's default port.
  package private(set) var port: Int?
  /// The segments of the path in this variant, from left to right.
  package private(set) var segments: [Segment] = []
  /// The segments of the fragment in this variant, or nil if the pattern has no fragment.
  package private(set) var fragment: [Segment]?
  private(set) var hasTrailingSlash = false
  /// The other variants, which lack some or all optional segments.
  private(set) var reduced: [PatternSyntax] = []

  /// The pattern with each combination of its optional segments.
  ///
  /// The first variant has all optional segments, and the last one has no optional segments. Among
  /// variants with the same shape, the first one matches: in `(/:a)(/:b)`, a single segment is `a`.
  package var variants: [PatternSyntax] { [self] + reduced }

  /// A Boolean value that indicates whether the pattern is a scheme's fallback, such as `shop:**`.
  package var isSchemeFallback: Bool { host == nil }

  private var components: [Segment] { [host].compactMap(\.self) + segments + (fragment ?? []) }

  /// The parameters of the host, the path, and the fragment from left to right.
  package var parameters: [Parameter] {
    components.compactMap { if case .parameter(let parameter) = $0 { parameter } else { nil } }
  }

  /// The number of literals in the pattern, excluding the scheme.
  package var literalCount: Int { components.count { if case .literal = $0 { true } else { false } } }

  package var description: String { text }
}

extension PatternSyntax {
  /// Creates a pattern by parsing text.
  ///
  /// - Throws: A ``PatternError`` that states the offset of the problem and what to write instead.
  package init(_ text: String) throws(PatternError) {
    var parser = PatternParser(text)
    self = try parser.parse()
  }

  /// Returns the reason why text isn't a valid pattern, with the offset of the error, or nil for a
  /// valid pattern.
  package static func problem(of text: String) -> (reason: String, offset: Int)? {
    do throws(PatternError) {
      _ = try PatternSyntax(text)
      return nil
    } catch {
      return (error.reason, error.offset)
    }
  }
}
