/// A pattern that matches a URL.
package struct PatternMatch: Sendable {
  let entry: PatternTrie.Entry
  /// The parameters from left to right, decoded if possible, with the URL's capitalization.
  package let parameters: [(name: String, value: String)]
  /// The decoded segments that `**` matched, or nil if the pattern has no `**`.
  ///
  /// For a scheme's fallback, these are the host, unless it's empty, and the segments of the path.
  package let rest: [String]?

  package var pattern: PatternSyntax { entry.pattern }
  package var payload: Int { entry.payload }
}

/// The state of a lazy search for the patterns that match a URL.
///
/// The search doesn't store the trie or the URL. Copying the trie would retain seven arrays, which
/// took a fifth of the time for a match.
package struct PatternSearch: Sendable {
  fileprivate var steps: [PatternTrie.Step] = []
  /// The next fallback of the scheme, to return after all other matches.
  fileprivate var fallback = PatternTrie.none
}

extension PatternTrie {
  /// Returns the next pattern that matches a URL, in order of precedence.
  ///
  /// Segments are compared from left to right. Literals come first, followed by typed parameters,
  /// untyped parameters, `*`, and `**`. Among parameters of one kind, longer suffixes come first,
  /// then narrower types. At the end of the path, patterns with a fragment precede patterns without
  /// a fragment. The fallbacks of the scheme follow all other patterns. Only fallbacks match a URL
  /// that has no host or that has `.` or `..` in its path.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - search: The state from ``search(_:)`` for the same URL.
  package func next(_ url: URLParts, _ search: inout PatternSearch) -> PatternMatch? {
    if let found = next(url, &search.steps) { return found }
    guard search.fallback != Self.none else { return nil }
    let listed = entries[Int(search.fallback)]
    search.fallback = listed.next
    let host = url.hostValueRange.isEmpty ? [] : [url.bytes[url.hostValueRange].text]
    return PatternMatch(entry: listed.entry, parameters: [], rest: host + url.segments)
  }

  /// A node that the search has entered, with the next branch or pattern to try.
  ///
  /// A step's index is the number of components that lead to its node. The first component is the
  /// host, followed by the segments of the path, the separator of the fragment, and the segments of
  /// the fragment.
  struct Step {
    let node: Int32
    /// The range that a parameter matched on the branch to this node; empty for other branches.
    let taken: Range<Int>
    var state: State
    var next: Int32
  }

  /// The part of a node that the search tries next.
  enum State {
    case literal, branches, exact, rest
  }

  /// Returns the initial state of a search for the patterns that match a URL.
  package func search(_ url: URLParts) -> PatternSearch {
    var search = PatternSearch()
    guard let scheme = literals.find(url.bytes, url.schemeRange, from: LiteralTable.start) else { return search }
    search.fallback = nodes[Int(scheme)].exact
    var root: Int32? = scheme
    if let port = url.port {
      root = literals.find([UInt8(port >> 8), UInt8(port & 0xff)], 0..<2, from: LiteralTable.ports(of: scheme))
    }
    if let root, url.hostRange != nil, !url.hasDotSegments {
      search.steps.reserveCapacity(min(url.pieces.count, 8) + 2)
      enter(root, 0..<0, url, &search.steps)
    }
    return search
  }

  private func enter(_ node: Int32, _ taken: Range<Int>, _ url: URLParts, _ steps: inout [Step]) {
    let isEnd = steps.count == url.pieces.count + 1
    steps.append(
      Step(
        node: node, taken: taken, state: isEnd ? .exact : .literal,
        next: isEnd ? nodes[Int(node)].exact : Self.none))
  }

  /// Returns the next match, except for the fallbacks of the scheme.
  private func next(_ url: URLParts, _ steps: inout [Step]) -> PatternMatch? {
    while let last = steps.indices.last {
      let (step, node) = (steps[last], nodes[Int(steps[last].node)])
      switch step.state {
      case .literal:
        steps[last].state = .branches
        // Only a literal matches the separator of a fragment.
        steps[last].next = isPathEnd(last, url) ? Self.none : node.branch
        if node.hasLiterals, let bytes = wellFormed(last, url),
          let child = literals.find(url.bytes, bytes, from: step.node)
        {
          enter(child, 0..<0, url, &steps)
        }
      case .branches where step.next != Self.none:
        let branch = branches[Int(step.next)]
        steps[last].next = branch.next
        if let taken = take(last, branch, url) { enter(branch.child, taken, url, &steps) }
      case .exact where step.next != Self.none, .rest where step.next != Self.none:
        steps[last].next = entries[Int(step.next)].next
        return found(step.next, url, steps)
      case .branches where isPathEnd(last, url):
        steps[last].state = .exact
        steps[last].next = node.exact
      case .branches, .exact:
        steps[last].state = .rest
        steps[last].next = node.rest
      case .rest:
        steps.removeLast()
      }
    }
    return nil
  }

  private func isPathEnd(_ step: Int, _ url: URLParts) -> Bool { step == url.pathCount + 1 }

  /// Returns the range of the decoded component after a step, or nil if it can't be decoded.
  private func wellFormed(_ step: Int, _ url: URLParts) -> Range<Int>? {
    if step == 0 { return url.hostRange }
    let piece = url.pieces[step - 1]
    return piece.isMalformed ? nil : piece.decoded
  }

  /// Returns the range that a branch's parameter receives from the component after a step, or nil
  /// if the branch doesn't match. The range is empty for a wildcard. A suffix is compared to the
  /// canonical host, but the parameter receives a part of the host's value.
  private func take(_ step: Int, _ branch: Branch, _ url: URLParts) -> Range<Int>? {
    let isHost = step == 0
    guard let component = isHost ? url.hostRange : url.pieces[step - 1].decoded, !component.isEmpty else { return nil }
    if branch.isWildcard { return 0..<0 }
    var part = isHost ? url.hostValueRange : component
    if branch.suffix.isEmpty, branch.type == nil { return part }
    guard wellFormed(step, url) != nil else { return nil }
    if !branch.suffix.isEmpty {
      let suffix = suffixBytes(branch)
      guard component.count > suffix.count, url.bytes[component].suffix(suffix.count).elementsEqual(suffix) else {
        return nil
      }
      part = isHost ? HostText.part(of: url.bytes[part], before: suffix).indices : part.dropLast(suffix.count)
    }
    if let type = branch.type, !type.accepts(url.bytes[part]) { return nil }
    return part
  }

  private func found(_ index: Int32, _ url: URLParts, _ steps: [Step]) -> PatternMatch {
    let entry = entries[Int(index)].entry
    var parameters: [(name: String, value: String)] = []
    if !entry.names.isEmpty {
      parameters.reserveCapacity(entry.names.count)
      for step in steps where !step.taken.isEmpty {
        parameters.append((entry.names[parameters.count], url.bytes[step.taken].text))
      }
    }
    var rest: [String]?
    if case .rest? = steps.last?.state {
      // The first two steps are the root and the host, which aren't segments.
      let start = steps.count - 2
      let end = start <= url.pathCount ? url.pathCount : url.pieces.count
      rest = url.pieces[start..<end].map { url.bytes[$0.decoded].text }
    }
    return PatternMatch(entry: entry, parameters: parameters, rest: rest)
  }
}
