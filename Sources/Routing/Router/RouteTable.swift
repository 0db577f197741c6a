public import Registry
internal import RoutePatterns

/// What URLs are compared with: the patterns of all routes that are handled. Never changed once it was made.
final class RouteTable: Sendable {
  /// In the order of ids, so that of two patterns that match the same the one of the smaller id comes first.
  private let entries: [Entry<any RouteHandling>]
  private let indices: [String: Int]
  private let trie: PatternTrie

  private init(_ entries: [Entry<any RouteHandling>], _ trie: PatternTrie) {
    self.entries = entries
    self.trie = trie
    indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.handler.id, $0) })
  }

  /// A pattern that matches a URL, and the route it belongs to.
  struct Candidate {
    let entry: Entry<any RouteHandling>
    let match: PatternMatch
  }

  /// The patterns that match and may from somewhere, in the order of precedence.
  func candidates(for url: URLParts, from origin: RouteOrigin) -> some Sequence<Candidate> {
    trie.match(url).lazy.map { Candidate(entry: self.entries[$0.payload], match: $0) }
      .filter { origin.reaches($0.entry.handler.access) }
  }

  /// Makes a URL by a pattern of a route, and makes sure that it leads back to it, if the route is handled here.
  func generate(
    _ pattern: PatternSyntax, of route: String, query: [URLParts.QueryItem], _ parameters: (String) -> String?
  ) throws(PatternGenerationError) -> String {
    guard let index = indices[route], entries[index].handler.patterns.contains(where: { $0.text == pattern.text })
    else {
      return try pattern.generate(query: query, parameters)
    }
    return try trie.generate(pattern, payload: index, query: query, parameters)
  }

  /// The pattern that a URL was most likely meant to match, if one is near enough.
  ///
  /// Compared is what the pattern says, with the URL's own text wherever the pattern takes any.
  func nearest(to url: URLParts) -> String? {
    guard let own = url.host else { return nil }
    let segments = url.segments
    let text = ([url.scheme, own] + segments).joined(separator: "/")
    // Every pattern is filled with it, and of names no more is compared.
    guard text.utf8.count <= 200 else { return nil }
    var patterns: [String: String] = [:]
    let all = entries.lazy.flatMap { $0.handler.patterns }.prefix(String.comparedNames)
    for pattern in all {
      guard let syntax = try? PatternSyntax(pattern.text), let host = syntax.host,
        syntax.segments.count == segments.count
      else { continue }
      let parts = zip(syntax.segments, segments).map { $0.text(for: $1) }
      patterns[([syntax.scheme, host.text(for: own)] + parts).joined(separator: "/")] = pattern.text
    }
    return text.nearest(in: patterns.keys.sorted()).flatMap { patterns[$0] }
  }

  /// Makes one of what is handled.
  ///
  /// - Returns: It and what is wrong: patterns that are none, and such that match the same URLs.
  static func make(of routes: [Entry<any RouteHandling>]) -> (RouteTable, [Diagnostic]) {
    let entries = routes.sorted { $0.handler.id < $1.handler.id }
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
              "\(error.reason), at byte \(error.offset) of the pattern \"\(pattern.text.escapedForDisplay())\" of the route"
                + " \(entry.handler.id.escapedForDisplay()), which leads nowhere: write it with #pattern, which checks it"
            ))
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
        "its pattern \(second.pattern.escapedForDisplay()) matches the same URLs as \(first.pattern.escapedForDisplay()) of"
        + " \(other.escapedForDisplay()), by \(first.entry.provenance.label), which comes first, as its id is smaller; give one of"
        + " them a literal, or a type")
  }
}

extension PatternSyntax.Segment {
  /// What it says, or the URL's own text.
  fileprivate func text(for own: String) -> String {
    if case .literal(let text) = self { text } else { own }
  }
}

extension Diagnostic.Code {
  /// Two routes have patterns that match the same URLs with the same precedence; the one of the smaller id is opened.
  public static let ambiguousRoute = Self(rawValue: "ambiguous-route")
  /// A pattern that was not checked while it was compiled, and is none.
  public static let malformedPattern = Self(rawValue: "malformed-pattern")
  /// A URL from outside leads to a route that is the app's own.
  public static let notRemote = Self(rawValue: "not-remote")
  /// A route is an actor's, and was to be looked at elsewhere by code that cannot wait.
  public static let unreadRoute = Self(rawValue: "unread-route")
}
