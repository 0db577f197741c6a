internal import Registry
internal import RoutePatterns

struct NearestPattern {
  let text: String
  /// The first reason why the URL doesn't match, or nil if the spelling of a literal differs.
  let reason: String?

  /// The sort key, which is smallest for the nearest pattern.
  ///
  /// The criteria are, in order: fewer differences, a misspelled literal, fewer typing errors, more
  /// literals, and alphabetical order.
  fileprivate let rank: (Int, Int, Int, Int, String)

  /// Compares a pattern with a URL, or returns nil if they match or aren't similar.
  ///
  /// Literals must be spelled similarly. If a component differs in another way, the pattern's host
  /// must be a literal, because a pattern such as `shop://:name(Int)` would otherwise be near every
  /// URL. A missing or additional segment must be the only difference, except that the last
  /// parameter of a pattern can be meant to match several segments.
  fileprivate init?(_ pattern: PatternSyntax, _ url: URLParts) {
    guard let differences = pattern.differences(from: url), !differences.isEmpty else { return nil }
    var reasons: [String] = []
    var typingErrors = 0
    for difference in differences {
      switch difference {
      case .literal(let literal, let found):
        // One-character texts differ by only one typing error, so never treat them as similar.
        guard found.utf8.count > 1, let errors = found.typingErrors(for: literal) else { return nil }
        typingErrors += errors
      case .rejected(let reason): reasons.append(reason)
      case .missing(let text) where differences.count == 1: reasons.append("the URL has no segment for '\(text)'")
      case .extra(let text) where differences.count == 1: reasons.append("the URL has the additional segment '\(text)'")
      case .extra where pattern.endsInText && differences.allSatisfy(\.isExtra):
        reasons.append(
          "the URL has \(differences.count) additional segments; '**' at the end of a pattern matches the remaining"
            + " segments ('request.remainingSegments')")
      case .missing, .extra: return nil
      }
    }
    if !reasons.isEmpty { guard case .literal? = pattern.host else { return nil } }
    text = pattern.text
    reason = reasons.count == differences.count ? reasons[0] : nil
    rank = (differences.count, reason == nil ? 0 : 1, typingErrors, -pattern.literalCount, pattern.text)
  }
}

extension RouteTable {
  func nearest(to url: URLParts, from origin: RouteOrigin = .local) -> NearestPattern? {
    guard let host = url.host else { return nil }
    // Comparing a long URL with every pattern would take too long. Of fragments, only paths are
    // compared.
    let path = url.fragment.flatMap { $0.first == "/" ? String($0.prefix { $0 != "?" }) : nil }
    let size = ([url.scheme, host] + url.segments + (path.map { [$0] } ?? [])).joined(separator: "/").utf8.count
    guard size <= 200 else { return nil }
    return handlers.lazy.filter { origin.reaches($0.info.access) }.flatMap(\.info.patterns).prefix(String.comparedNames)
      .flatMap { (try? PatternSyntax($0.text))?.variants ?? [] }
      .compactMap { NearestPattern($0, url) }
      .min { $0.rank < $1.rank }
  }
}
