package import Registry
internal import RoutePatterns

final class RouteTable: Sendable {
  /// The handlers, sorted by identifier. The order decides between patterns of equal precedence.
  let handlers: [RouteHandler]
  private let indices: [String: Int]
  private let trie: PatternTrie

  /// Creates a table of the given handlers, which must be in use.
  ///
  /// - Parameter report: A closure that receives diagnostics about malformed patterns and about
  ///   patterns that match the same URLs.
  init(_ routes: [RouteHandler], _ report: (Diagnostic) -> Void) {
    handlers = routes.ordered { $0.info.id < $1.info.id }
    indices = Dictionary(uniqueKeysWithValues: handlers.enumerated().map { ($1.info.id, $0) })
    var trie = PatternTrie()
    for (index, handler) in handlers.enumerated() {
      for pattern in handler.info.patterns {
        do throws(PatternError) {
          trie.insert(try PatternSyntax(pattern.text), payload: index)
        } catch {
          report(
            handler.provenance.diagnostic(
              .error, .malformedPattern,
              "the URL pattern \(pattern.text.quotedForDisplay()) of the route \(handler.info.id.quotedForDisplay())"
                + " is malformed and matches nothing: \(error.reason) (at byte \(error.offset)); write the pattern with"
                + " '#pattern', which checks it"))
        }
      }
    }
    for conflict in trie.conflicts where conflict.first.payload != conflict.second.payload {
      let (first, second) = (handlers[conflict.first.payload], handlers[conflict.second.payload])
      report(
        Diagnostic(
          severity: .warning, code: .ambiguousRoute, subject: second.info.id, image: second.provenance.image,
          message:
            "the pattern \(conflict.second.pattern.text.quotedForDisplay()) matches the same URLs as"
            + " \(conflict.first.pattern.text.quotedForDisplay()) of \(first.info.id.quotedForDisplay()), handled by"
            + " \(first.provenance.label), which takes precedence because its identifier is smaller; add a literal"
            + " segment or a parameter type to one of the patterns"))
    }
    self.trie = trie
  }

  struct Candidate {
    let handler: RouteHandler
    let match: PatternMatch
  }

  /// Returns the candidates that match a URL and that the origin can reach, in precedence order.
  @_optimize(speed)
  func candidates(for url: URLParts, from origin: RouteOrigin) -> some Sequence<Candidate> {
    sequence(state: trie.search(url)) { search -> Candidate? in
      while let match = self.trie.next(url, &search) {
        let handler = self.handlers[match.payload]
        if origin.reaches(handler.info.access) { return Candidate(handler: handler, match: match) }
      }
      return nil
    }
  }

  /// Returns a URL for a pattern, or throws an error if the URL would open another route or be read
  /// back as different parameters. The route need not have a handler yet.
  func generate(
    _ pattern: PatternSyntax, of route: String, query: [URLParts.QueryItem], _ parameters: (String) -> String?
  ) throws(PatternGenerationError) -> String {
    let index = indices[route] ?? .max
    var trie = trie
    if index == .max || !handlers[index].info.patterns.contains(where: { $0.text == pattern.text }) {
      // Copy the trie only if the URL opens a route.
      let url = try pattern.generate(query: query, parameters)
      guard let parts = try? URLParts(url), case var search = trie.search(parts), trie.next(parts, &search) != nil
      else { return url }
      trie.insert(pattern, payload: index)
    }
    return try trie.generate(pattern, payload: index, query: query, parameters)
  }
}

extension Diagnostic.Code {
  package static var ambiguousRoute: Self { "ambiguous-route" }
  package static var malformedPattern: Self { "malformed-pattern" }
  package static var notRemote: Self { "not-remote" }
  package static var routeNotFound: Self { "route-not-found" }
  package static var unusedParameter: Self { "unused-parameter" }
  package static var unreadRoute: Self { "unread-route" }
}
