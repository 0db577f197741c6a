/// A pattern that matches a URL.
package struct PatternMatch: Sendable {
  let entry: PatternTrie.Entry
  /// The parameters from the left, decoded; one in the host is in the form in which hosts are compared.
  package let parameters: [(name: String, value: String)]
  /// What `**` stands for, segment by segment, decoded; nil without one.
  package let rest: [String]?

  package var pattern: PatternSyntax { entry.pattern }
  package var payload: Int { entry.payload }
}

extension PatternTrie {
  /// The patterns that match, in the order of precedence, each looked for when it is asked for.
  ///
  /// Segment by segment from the left, literals come before typed parameters, those before untyped ones (with a suffix before
  /// without), those before `*`, and `**` is last; behind all of them is what the scheme falls back to. A URL with `.` or `..` in
  /// its path, and one without `//`, matches nothing else.
  package func match(_ url: URLParts) -> PatternMatches { PatternMatches(self, url) }
}

/// What matches a URL, found as it is asked for.
package struct PatternMatches: Sequence, IteratorProtocol, Sendable {
  private let trie: PatternTrie
  private let url: URLParts
  /// The way from the root to where the search stands.
  private var steps: [PatternTrie.Step]
  /// The next of those that the scheme falls back to.
  private var fallback: Int32

  init(_ trie: PatternTrie, _ url: URLParts) {
    (steps, fallback) = trie.start(url)
    self.trie = trie
    self.url = url
  }

  package mutating func next() -> PatternMatch? {
    if let found = trie.next(url, &steps) { return found }
    guard fallback != PatternTrie.none else { return nil }
    let listed = trie.entries[Int(fallback)]
    fallback = listed.next
    return PatternMatch(entry: listed.entry, parameters: [], rest: nil)
  }
}

// The search is the tree's own, for speed: what it reads of itself and of the URL is then counted once and not at every step.
extension PatternTrie {
  /// A node on the way, and what of it is still to be tried. There are as many in front of it as parts of the URL are taken, the
  /// host being the first.
  struct Step {
    let node: Int32
    /// What a parameter took on the way here, in the URL's bytes; empty for all else.
    let taken: Range<Int>
    var state: State
    /// The next of the list that is being tried.
    var next: Int32
  }

  enum State {
    case literal, branches, exact, rest
  }

  /// The way to the host, and the first of those that the scheme falls back to.
  func start(_ url: URLParts) -> ([Step], fallback: Int32) {
    var steps: [Step] = []
    guard let scheme = literals.find(url.bytes, url.schemeRange, from: .scheme) else { return ([], Self.none) }
    var root: Int32? = scheme
    if let port = url.port {
      root = literals.find([UInt8(port >> 8), UInt8(port & 0xff)], 0..<2, from: .port(scheme))
    }
    if let root, url.hostRange != nil, !url.hasDotSegments {
      steps.reserveCapacity(min(url.pieces.count, 8) + 2)
      enter(root, 0..<0, url, &steps)
    }
    return (steps, nodes[Int(scheme)].exact)
  }

  private func enter(_ node: Int32, _ taken: Range<Int>, _ url: URLParts, _ steps: inout [Step]) {
    let isEnd = steps.count == url.pieces.count + 1
    steps.append(
      Step(
        node: node, taken: taken, state: isEnd ? .exact : .literal,
        next: isEnd ? nodes[Int(node)].exact : Self.none))
  }

  /// Goes on to the next pattern but for those that the scheme falls back to.
  func next(_ url: URLParts, _ steps: inout [Step]) -> PatternMatch? {
    while let last = steps.indices.last {
      let (step, node) = (steps[last], nodes[Int(steps[last].node)])
      switch step.state {
      case .literal:
        steps[last].state = .branches
        steps[last].next = node.branch
        if node.hasLiterals, let bytes = wellFormed(last, url),
          let child = literals.find(url.bytes, bytes, from: .node(step.node))
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
      case .branches, .exact:
        steps[last].state = .rest
        steps[last].next = node.rest
      case .rest:
        steps.removeLast()
      }
    }
    return nil
  }

  /// The decoded bytes of the part that comes next behind a step; nil if it cannot be decoded.
  private func wellFormed(_ step: Int, _ url: URLParts) -> Range<Int>? {
    if step == 0 { return url.hostRange }
    let piece = url.pieces[step - 1]
    return piece.isMalformed ? nil : piece.decoded
  }

  /// What a branch takes of the part that comes next; nil if it does not match.
  private func take(_ step: Int, _ branch: Branch, _ url: URLParts) -> Range<Int>? {
    guard var part = step == 0 ? url.hostRange : url.pieces[step - 1].decoded, !part.isEmpty else { return nil }
    if !branch.suffix.isEmpty || branch.kind.rank == 0 {
      guard let bytes = wellFormed(step, url) else { return nil }
      let suffix = suffixBytes(branch)
      guard bytes.count > suffix.count, url.bytes[bytes].suffix(suffix.count).elementsEqual(suffix) else { return nil }
      part = bytes.lowerBound..<(bytes.upperBound - suffix.count)
      if case .typed(let type) = branch.kind, !type.accepts(url.bytes[part]) { return nil }
    }
    return branch.kind == .wildcard ? 0..<0 : part
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
      // Behind the root and the host.
      rest = url.pieces[(steps.count - 2)...].map { url.bytes[$0.decoded].text }
    }
    return PatternMatch(entry: entry, parameters: parameters, rest: rest)
  }
}
