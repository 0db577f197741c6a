/// A pattern that matches a URL.
package struct PatternMatch: Sendable {
  package let pattern: PatternSyntax
  package let payload: Int
  /// The parameters from the left, decoded; one in the host is in the form in which hosts are compared.
  package let parameters: [(name: String, value: String)]
  /// What `**` stands for, segment by segment, decoded; nil without one.
  package let rest: [String]?
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
  /// A node on the way, and what of it is still to be tried.
  private struct Step {
    let node: Int32
    /// What a parameter took on the way here; empty for all else.
    let taken: Range<Int>
    var state: State
    /// The next of the list that is being tried.
    var next: Int32
  }

  private enum State {
    case literal, branches, exact, rest
  }

  private let trie: PatternTrie
  private let url: URLParts
  /// From the host's on: as many as parts of the URL have been taken, and the root.
  private var steps: [Step] = []
  /// The next of those that the scheme falls back to.
  private var fallback: Int32 = PatternTrie.none

  init(_ trie: PatternTrie, _ url: URLParts) {
    self.trie = trie
    self.url = url
    guard let scheme = trie.literals.find(url.bytes[url.schemeRange], from: .scheme) else { return }
    fallback = trie.nodes[Int(scheme)].exact
    guard url.hostRange != nil, !url.hasDotSegments else { return }
    guard let port = url.port else {
      enter(scheme, 0..<0)
      return
    }
    let bytes = [UInt8(port >> 8), UInt8(port & 0xff)]
    if let root = trie.literals.find(bytes[...], from: .port(scheme)) { enter(root, 0..<0) }
  }

  package mutating func next() -> PatternMatch? {
    while let last = steps.indices.last {
      let step = steps[last]
      let node = trie.nodes[Int(step.node)]
      switch step.state {
      case .literal:
        steps[last].state = .branches
        steps[last].next = node.branch
        if node.hasLiterals, let bytes = wellFormed(last),
          let child = trie.literals.find(url.bytes[bytes], from: .node(step.node))
        {
          enter(child, 0..<0)
        }
      case .branches:
        guard step.next != PatternTrie.none else {
          steps[last].state = .rest
          steps[last].next = node.rest
          continue
        }
        let branch = trie.branches[Int(step.next)]
        steps[last].next = branch.next
        if let taken = take(last, branch) { enter(branch.child, taken) }
      case .exact:
        guard step.next != PatternTrie.none else {
          steps[last].state = .rest
          steps[last].next = node.rest
          continue
        }
        return found(step.next, last)
      case .rest:
        guard step.next != PatternTrie.none else {
          steps.removeLast()
          continue
        }
        return found(step.next, last)
      }
    }
    guard fallback != PatternTrie.none else { return nil }
    let entry = trie.entries[Int(fallback)]
    fallback = entry.next
    return PatternMatch(pattern: entry.pattern, payload: entry.payload, parameters: [], rest: nil)
  }

  private mutating func enter(_ node: Int32, _ taken: Range<Int>) {
    // The root stands in front of the host, each further node behind one part more.
    let isEnd = steps.count == url.pieces.count + 1
    steps.append(
      Step(
        node: node, taken: taken, state: isEnd ? .exact : .literal,
        next: isEnd ? trie.nodes[Int(node)].exact : PatternTrie.none))
  }

  /// The decoded bytes of the part that comes next behind a step; nil if it cannot be decoded.
  private func wellFormed(_ step: Int) -> Range<Int>? {
    if step == 0 { return url.hostRange }
    let piece = url.pieces[step - 1]
    return piece.isMalformed ? nil : piece.decoded
  }

  /// What a branch takes of the part that comes next; nil if it does not match.
  private func take(_ step: Int, _ branch: PatternTrie.Branch) -> Range<Int>? {
    guard var part = step == 0 ? url.hostRange : url.pieces[step - 1].decoded, !part.isEmpty else { return nil }
    if !branch.suffix.isEmpty || branch.kind.rank == 0 {
      guard let bytes = wellFormed(step) else { return nil }
      let suffix = trie.suffixBytes(branch)
      guard bytes.count > suffix.count, url.bytes[bytes].suffix(suffix.count).elementsEqual(suffix) else { return nil }
      part = bytes.lowerBound..<(bytes.upperBound - suffix.count)
      if case .typed(let type) = branch.kind, !type.accepts(url.bytes[part]) { return nil }
    }
    return branch.kind == .wildcard ? 0..<0 : part
  }

  private mutating func found(_ index: Int32, _ last: Int) -> PatternMatch {
    let entry = trie.entries[Int(index)]
    steps[last].next = entry.next
    var parameters: [(name: String, value: String)] = []
    if !entry.names.isEmpty {
      parameters.reserveCapacity(entry.names.count)
      for step in steps where !step.taken.isEmpty {
        parameters.append((entry.names[parameters.count], url.bytes[step.taken].text))
      }
    }
    var rest: [String]?
    if case .rest = steps[last].state {
      rest = url.pieces[(last - 1)...].map { url.bytes[$0.decoded].text }
    }
    return PatternMatch(pattern: entry.pattern, payload: entry.payload, parameters: parameters, rest: rest)
  }
}
