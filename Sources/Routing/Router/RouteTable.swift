public import Registry
internal import RoutePatterns

/// An immutable table of the patterns of all routes, which finds the routes that match a URL.
final class RouteTable: Sendable {
  /// The handlers in the order of their routes' identifiers.
  ///
  /// The order decides between patterns with the same precedence: the smaller identifier comes
  /// first.
  private let entries: [Entry<any RouteHandling>]
  private let indices: [String: Int]
  private let trie: PatternTrie

  private init(_ entries: [Entry<any RouteHandling>], _ trie: PatternTrie) {
    self.entries = entries
    self.trie = trie
    indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.handler.id, $0) })
  }

  /// A pattern that matches a URL, and the handler of its route.
  struct Candidate {
    let entry: Entry<any RouteHandling>
    let match: PatternMatch
  }

  /// Returns the patterns that match a URL and that the origin can reach, in order of precedence.
  func candidates(for url: URLParts, from origin: RouteOrigin) -> some Sequence<Candidate> {
    trie.match(url).lazy.map { Candidate(entry: self.entries[$0.payload], match: $0) }
      .filter { origin.reaches($0.entry.handler.access) }
  }

  /// Returns a URL for a pattern of a route.
  ///
  /// If this table contains the pattern, the method checks that the URL leads back to the route.
  func generate(
    _ pattern: PatternSyntax, of route: String, query: [URLParts.QueryItem], _ parameters: (String) -> String?
  ) throws(PatternGenerationError) -> String {
    guard let index = indices[route], entries[index].handler.patterns.contains(where: { $0.text == pattern.text })
    else {
      return try pattern.generate(query: query, parameters)
    }
    return try trie.generate(pattern, payload: index, query: query, parameters)
  }

  /// The patterns of all routes, in the order of the routes' identifiers.
  var patterns: some Sequence<RoutePattern> { entries.lazy.flatMap { $0.handler.patterns } }

  /// Creates a table of the given handlers.
  ///
  /// - Returns: The table, and diagnostics about malformed patterns and about patterns that match
  ///   the same URLs.
  static func make(of routes: [Entry<any RouteHandling>]) -> (RouteTable, [Diagnostic]) {
    let entries = routes.ordered { $0.handler.id < $1.handler.id }
    var trie = PatternTrie()
    var diagnostics: [Diagnostic] = []
    for (index, entry) in entries.enumerated() {
      for pattern in entry.handler.patterns {
        do throws(PatternError) {
          trie.insert(try PatternSyntax(pattern.text), payload: index)
        } catch {
          diagnostics.append(
            entry.provenance.diagnostic(
              .error, .malformedPattern,
              "the URL pattern '\(pattern.text.escapedForDisplay())' of the route '\(entry.handler.id.escapedForDisplay())'"
                + " is malformed and matches nothing: \(error.reason) (at byte \(error.offset)); write the pattern with"
                + " '#pattern', which checks it"))
        }
      }
    }
    for conflict in trie.conflicts where conflict.first.payload != conflict.second.payload {
      diagnostics.append(
        ambiguity(
          (entries[conflict.first.payload], conflict.first.pattern.text),
          (entries[conflict.second.payload], conflict.second.pattern.text)))
    }
    return (RouteTable(entries, trie), diagnostics)
  }

  private static func ambiguity(
    _ first: (entry: Entry<any RouteHandling>, pattern: String),
    _ second: (entry: Entry<any RouteHandling>, pattern: String)
  ) -> Diagnostic {
    let (id, other) = (second.entry.handler.id, first.entry.handler.id)
    return Diagnostic(
      severity: .warning, code: .ambiguousRoute, subject: id, image: second.entry.provenance.image,
      message:
        "the pattern '\(second.pattern.escapedForDisplay())' matches the same URLs as '\(first.pattern.escapedForDisplay())'"
        + " of '\(other.escapedForDisplay())', handled by \(first.entry.provenance.label), which takes precedence because its"
        + " identifier is smaller; add a literal segment or a parameter type to one of the patterns")
  }
}

extension Diagnostic.Code {
  /// Patterns of two routes that match the same URLs with the same precedence. The route with the
  /// smaller identifier is opened.
  public static let ambiguousRoute = Self(rawValue: "ambiguous-route")
  /// A malformed pattern that the compiler plugin did not check.
  public static let malformedPattern = Self(rawValue: "malformed-pattern")
  /// A URL from outside the app that leads to a route with internal access.
  public static let notRemote = Self(rawValue: "not-remote")
  /// A pattern parameter that the parameters of the route do not decode.
  public static let unusedParameter = Self(rawValue: "unused-parameter")
  /// A route that belongs to another actor and was not read before synchronous code needed it.
  public static let unreadRoute = Self(rawValue: "unread-route")
}
