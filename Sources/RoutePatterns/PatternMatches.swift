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
/// The search doesn't store the trie or the URL. Copying the trie would retain its arrays, which
/// took a fifth of the time for a match.
package struct PatternSearch: Sendable {
  fileprivate var steps: [PatternTrie.Step] = []
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
    while let last = search.steps.indices.last {
      let step = search.steps[last]
      let node = Int(step.node)
      switch step.state {
      case .literal:
        search.steps[last].state = isPathEnd(last, url) ? .entries : .branches
        if nodes[node].hasLiterals, let bytes = wellFormed(last, url),
          let child = literals.find(url.bytes, bytes, from: step.node)
        {
          enter(child, url, &search.steps)
        }
      case .entries where step.next < nodes[node].entries.count:
        search.steps[last].next += 1
        return found(nodes[node].entries[step.next], url, search.steps)
      // Another step tries the branches of the scheme's node, if it's the root.
      case .entries where last > 0:
        search.steps[last].state = .branches
        search.steps[last].next = 0
      case .branches where step.next < nodes[node].branches.count:
        search.steps[last].next += 1
        let child = nodes[node].branches[step.next].child
        if nodes[node].branches[step.next].kind == .rest {
          search.steps.append(Step(node: child, state: .entries))
        } else if let taken = take(last, nodes[node].branches[step.next], url) {
          enter(child, url, &search.steps, taken: taken)
        }
      case .entries, .branches:
        search.steps.removeLast()
      }
    }
    return nil
  }

  /// A node that the search has entered, with the next branch or pattern to try.
  ///
  /// The first step is only for the fallbacks of the scheme. The index of any other step is one
  /// more than the number of components that lead to its node: the host, the segments of the path,
  /// the separator of the fragment, and the segments of the fragment.
  struct Step {
    let node: Int32
    var state: State
    var next = 0
    /// The range that a parameter matched on the branch to this node; empty for other branches.
    var taken = 0..<0
  }

  /// The part of a node that the search tries next.
  enum State {
    case literal, entries, branches
  }

  /// Returns the initial state of a search for the patterns that match a URL.
  package func search(_ url: URLParts) -> PatternSearch {
    var search = PatternSearch()
    guard let scheme = literals.find(url.bytes, url.schemeRange, from: LiteralTable.start) else { return search }
    search.steps.reserveCapacity(min(url.pieces.count, 8) + 3)
    search.steps.append(Step(node: scheme, state: .entries))
    var root: Int32? = scheme
    if let port = url.port {
      root = literals.find(LiteralTable.bytes(ofPort: port), 0..<2, from: LiteralTable.ports(of: scheme))
    }
    if let root, url.hostRange != nil, !url.hasDotSegments { enter(root, url, &search.steps) }
    return search
  }

  private func enter(_ node: Int32, _ url: URLParts, _ steps: inout [Step], taken: Range<Int> = 0..<0) {
    let isEnd = steps.count == url.pieces.count + 2
    steps.append(Step(node: node, state: isEnd ? .entries : .literal, taken: taken))
  }

  private func isPathEnd(_ step: Int, _ url: URLParts) -> Bool { step == url.pathCount + 2 }

  /// Returns the range of the decoded component after a step, or nil if it can't be decoded.
  private func wellFormed(_ step: Int, _ url: URLParts) -> Range<Int>? {
    if step == 1 { return url.hostRange }
    let piece = url.pieces[step - 2]
    return piece.isMalformed ? nil : piece.decoded
  }

  /// Returns the range that a branch's parameter receives from the component after a step, or nil
  /// if the branch doesn't match. The range is empty for a wildcard. A suffix is compared to the
  /// canonical host, but the parameter receives a part of the host's value.
  private func take(_ step: Int, _ branch: Branch, _ url: URLParts) -> Range<Int>? {
    let isHost = step == 1
    // Only a literal matches the separator of a fragment, and nothing follows the last component.
    guard !isPathEnd(step, url), step < url.pieces.count + 2,
      let component = isHost ? url.hostRange : url.pieces[step - 2].decoded, !component.isEmpty
    else { return nil }
    if branch.kind == .wildcard { return 0..<0 }
    var part = isHost ? url.hostValueRange : component
    if branch.kind == .untyped, branch.suffix.isEmpty { return part }
    guard wellFormed(step, url) != nil else { return nil }
    let suffix = branch.suffix
    if !suffix.isEmpty {
      guard component.count > suffix.count, url.bytes[component].suffix(suffix.count).elementsEqual(suffix) else {
        return nil
      }
      part = isHost ? HostText.part(of: url.bytes[part], before: suffix).indices : part.dropLast(suffix.count)
    }
    if let type = branch.type, !type.accepts(url.bytes[part]) { return nil }
    return part
  }

  private func found(_ entry: Entry, _ url: URLParts, _ steps: [Step]) -> PatternMatch {
    var parameters: [(name: String, value: String)] = []
    if !entry.names.isEmpty {
      parameters.reserveCapacity(entry.names.count)
      for step in steps where !step.taken.isEmpty {
        parameters.append((entry.names[parameters.count], url.bytes[step.taken].text))
      }
    }
    var rest: [String]?
    if steps.count == 1 {
      let host = url.hostValueRange.isEmpty ? [] : [url.bytes[url.hostValueRange].text]
      rest = host + url.segments
    } else if entry.hasRest {
      // The scheme, the root, the host, and `**` aren't segments.
      let start = steps.count - 4
      let end = start <= url.pathCount ? url.pathCount : url.pieces.count
      rest = url.pieces[start..<end].map { url.bytes[$0.decoded].text }
    }
    return PatternMatch(entry: entry, parameters: parameters, rest: rest)
  }
}
