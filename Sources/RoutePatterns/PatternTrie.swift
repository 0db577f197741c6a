/// A prefix tree that finds the patterns that match a URL.
///
/// Each node has a child for each segment that can follow it. A search starts at the scheme and
/// tries the narrowest segment first. It tries the next segment if no pattern matches, or if the
/// caller requests another match. A search enters each node at most once, so its work is bounded by
/// the number of patterns that begin like the URL and by the URL's size.
///
/// Nodes are elements of a flat array, and literals are in one hash table for all nodes, so a
/// search reads little memory.
package struct PatternTrie: Sendable {
  struct Node {
    /// The branches that aren't literals, in order of precedence.
    var branches: [Branch] = []
    /// The patterns that end at this node, by payload and then by text; for a scheme, its
    /// fallbacks.
    var entries: [Entry] = []
    var hasLiterals = false
  }

  struct Branch {
    /// In order of precedence.
    enum Kind: Int {
      case typed, untyped, wildcard, rest
    }

    let kind: Kind
    let type: ParameterType?
    let suffix: [UInt8]
    let child: Int32

    /// The rank in order of precedence. Within each kind, longer suffixes come first, and then
    /// narrower types.
    var rank: (Int, Int, Int) { (kind.rawValue, -suffix.count, type?.order ?? 0) }
  }

  /// A pattern and its payload. This is a class, so that a match retains only one object.
  package final class Entry: Sendable {
    package let pattern: PatternSyntax
    package let payload: Int
    let names: [String]
    let hasRest: Bool

    init(_ pattern: PatternSyntax, _ payload: Int) {
      self.pattern = pattern
      self.payload = payload
      names = pattern.parameters.map(\.name)
      hasRest = if case .rest? = (pattern.fragment ?? pattern.segments).last { true } else { false }
    }

    func precedes(_ other: Entry) -> Bool {
      payload != other.payload
        ? payload < other.payload : pattern.text.utf8.lexicographicallyPrecedes(other.pattern.text.utf8)
    }
  }

  private(set) var nodes: [Node] = []
  private(set) var literals = LiteralTable()

  package init() {}

  /// The number of patterns, counting each variant of a pattern with optional segments.
  package var count: Int { nodes.reduce(0) { $0 + $1.entries.count } }

  /// Adds all variants of a pattern.
  ///
  /// The order of insertion has no effect: among patterns with the same shape, a search first finds
  /// the pattern with the smallest payload.
  package mutating func insert(_ pattern: PatternSyntax, payload: Int) {
    for variant in pattern.variants {
      var node = literal(Array(variant.scheme.utf8), from: LiteralTable.start)
      if let host = variant.host {
        if let port = variant.port {
          node = literal(LiteralTable.bytes(ofPort: port), from: LiteralTable.ports(of: node))
        }
        node = insert([host] + variant.segments, from: node)
        if let fragment = variant.fragment {
          node = insert(fragment, from: literal([URLParts.fragmentSeparator], from: node))
        }
      }
      let entry = Entry(variant, payload)
      let entries = nodes[Int(node)].entries
      nodes[Int(node)].entries.insert(entry, at: entries.firstIndex(where: entry.precedes) ?? entries.count)
    }
  }

  private mutating func insert(_ segments: [PatternSyntax.Segment], from start: Int32) -> Int32 {
    segments.reduce(start) { node, segment in
      switch segment {
      case .literal(let text): literal(Array(text.utf8), from: node)
      case .parameter(let parameter):
        child(of: node, parameter.type == nil ? .untyped : .typed, parameter.type, Array(parameter.suffix.utf8))
      case .wildcard: child(of: node, .wildcard)
      case .rest: child(of: node, .rest)
      }
    }
  }

  /// The pairs of patterns that match the same URLs with the same precedence: the first pattern of
  /// each shape, which a search finds first, and each other pattern with that shape.
  package var conflicts: [(first: Entry, second: Entry)] {
    nodes.flatMap { node in node.entries.dropFirst().map { (node.entries[0], $0) } }.sorted {
      ($0.first.payload, $0.second.payload, $0.second.pattern.text)
        < ($1.first.payload, $1.second.payload, $1.second.pattern.text)
    }
  }

  private mutating func makeNode() -> Int32 {
    nodes.append(Node())
    return Int32(nodes.count - 1)
  }

  private mutating func literal(_ bytes: [UInt8], from parent: Int32) -> Int32 {
    if let child = literals.find(bytes, 0..<bytes.count, from: parent) { return child }
    let child = makeNode()
    literals.insert(bytes, from: parent, child)
    // The parents of schemes and ports aren't nodes.
    if parent >= 0 { nodes[Int(parent)].hasLiterals = true }
    return child
  }

  private mutating func child(
    of node: Int32, _ kind: Branch.Kind, _ type: ParameterType? = nil, _ suffix: [UInt8] = []
  ) -> Int32 {
    let new = Branch(kind: kind, type: type, suffix: suffix, child: Int32(nodes.count))
    let branches = nodes[Int(node)].branches
    if let known = branches.first(where: { $0.rank == new.rank && $0.suffix == suffix }) { return known.child }
    // Two different suffixes of equal length can't match the same segment, so their order doesn't
    // matter.
    nodes[Int(node)].branches.insert(new, at: branches.firstIndex { new.rank < $0.rank } ?? branches.count)
    return makeNode()
  }
}
