/// A prefix tree that finds the patterns that match a URL.
///
/// Each node has a child for each segment that can follow it. A search starts at the scheme and
/// tries the narrowest segment first. It tries the next segment if no pattern matches, or if the
/// caller requests another match. A search enters each node at most once, so its work is bounded by
/// the number of patterns that begin like the URL and by the URL's size.
///
/// Nodes and branches are elements of flat arrays, so a search reads little memory and retains no
/// objects until it finds a match.
package struct PatternTrie: Sendable {
  /// The index that marks the end of a linked list of branches or entries.
  static let none: Int32 = -1

  struct Node {
    /// The first branch that isn't a literal, in order of precedence.
    var branch = PatternTrie.none
    /// The first pattern that ends at this node; for a scheme, its first fallback.
    var exact = PatternTrie.none
    /// The first pattern whose `**` follows this node.
    var rest = PatternTrie.none
    var hasLiterals = false
  }

  /// A branch for a parameter or a wildcard.
  struct Branch {
    let isWildcard: Bool
    /// The type of a parameter; nil for untyped parameters and wildcards.
    let type: ParameterType?
    /// The range of the suffix in the trie's `text`.
    let suffix: Range<Int32>
    let child: Int32
    var next: Int32

    /// The rank in order of precedence: typed parameters, untyped parameters, and wildcards. Within
    /// each of these groups, longer suffixes come first, and then narrower types.
    var rank: (Int, Int, Int) { (isWildcard ? 2 : type == nil ? 1 : 0, -suffix.count, type?.order ?? 0) }
  }

  /// A pattern and its payload. This is a class, so that a match retains only one object.
  package final class Entry: Sendable {
    package let pattern: PatternSyntax
    package let payload: Int
    let names: [String]

    init(_ pattern: PatternSyntax, _ payload: Int) {
      self.pattern = pattern
      self.payload = payload
      names = pattern.parameters.map(\.name)
    }
  }

  struct ListedEntry {
    let entry: Entry
    var next: Int32
  }

  private(set) var nodes: [Node] = []
  private(set) var branches: [Branch] = []
  private(set) var entries: [ListedEntry] = []
  private(set) var literals = LiteralTable()
  /// The suffixes of all branches.
  private(set) var text: [UInt8] = []

  package init() {}

  /// The number of patterns, counting each variant of a pattern with optional segments.
  package var count: Int { entries.count }

  /// Adds all variants of a pattern.
  ///
  /// The order of insertion has no effect: among patterns with the same shape, a search first finds
  /// the pattern with the smallest payload.
  package mutating func insert(_ pattern: PatternSyntax, payload: Int) {
    for variant in pattern.variants { insertVariant(variant, payload) }
  }

  private mutating func insertVariant(_ pattern: PatternSyntax, _ payload: Int) {
    let entry = Int32(entries.count)
    entries.append(ListedEntry(entry: Entry(pattern, payload), next: Self.none))
    let scheme = literal(Array(pattern.scheme.utf8), from: LiteralTable.start)
    guard let host = pattern.host else {
      // Only fallbacks have no host, so this list in a scheme's node contains nothing else.
      link(entry, \.exact, of: scheme)
      return
    }
    var node = scheme
    if let port = pattern.port {
      node = literal([UInt8(port >> 8), UInt8(port & 0xff)], from: LiteralTable.ports(of: scheme))
    }
    var segments = [host] + pattern.segments
    let pathEnd = segments.count
    segments += pattern.fragment ?? []
    for (number, segment) in segments.enumerated() {
      if number == pathEnd { node = literal([URLParts.fragmentSeparator], from: node) }
      switch segment {
      case .literal(let text): node = literal(Array(text.utf8), from: node)
      case .parameter(let parameter): node = child(of: node, parameter.type, parameter.suffix)
      case .wildcard: node = child(of: node, isWildcard: true)
      case .rest:
        link(entry, \.rest, of: node)
        return
      }
    }
    if pattern.fragment?.isEmpty == true { node = literal([URLParts.fragmentSeparator], from: node) }
    link(entry, \.exact, of: node)
  }

  /// The pairs of patterns that match the same URLs with the same precedence: the first pattern of
  /// each shape, which a search finds first, and each other pattern with that shape.
  package var conflicts: [(first: Entry, second: Entry)] {
    var conflicts: [(first: Entry, second: Entry)] = []
    for first in nodes.flatMap({ [$0.exact, $0.rest] }) where first != Self.none {
      var next = entries[Int(first)].next
      while next != Self.none {
        conflicts.append((entries[Int(first)].entry, entries[Int(next)].entry))
        next = entries[Int(next)].next
      }
    }
    return conflicts.sorted {
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
    of node: Int32, _ type: ParameterType? = nil, _ suffix: String = "", isWildcard: Bool = false
  ) -> Int32 {
    let start = Int32(text.count)
    text += suffix.utf8
    var new = Branch(
      isWildcard: isWildcard, type: type, suffix: start..<Int32(text.count), child: Int32(nodes.count), next: Self.none)
    let rank = new.rank
    var previous: Int32?
    new.next = nodes[Int(node)].branch
    while new.next != Self.none {
      let other = branches[Int(new.next)]
      let otherRank = other.rank
      if otherRank == rank, suffixBytes(other).elementsEqual(suffix.utf8) {
        text.removeLast(suffix.utf8.count)
        return other.child
      }
      // Two different suffixes of equal length can't match the same segment, so their order doesn't
      // matter.
      if rank < otherRank { break }
      previous = new.next
      new.next = other.next
    }
    branches.append(new)
    let index = Int32(branches.count - 1)
    if let previous { branches[Int(previous)].next = index } else { nodes[Int(node)].branch = index }
    return makeNode()
  }

  func suffixBytes(_ branch: Branch) -> ArraySlice<UInt8> {
    text[Int(branch.suffix.lowerBound)..<Int(branch.suffix.upperBound)]
  }

  /// Inserts a pattern into one of a node's lists, which are sorted by payload and then by text.
  private mutating func link(_ entry: Int32, _ list: WritableKeyPath<Node, Int32>, of node: Int32) {
    func isBefore(_ a: Entry, _ b: Entry) -> Bool {
      a.payload != b.payload
        ? a.payload < b.payload : a.pattern.text.utf8.lexicographicallyPrecedes(b.pattern.text.utf8)
    }
    var previous: Int32?
    var next = nodes[Int(node)][keyPath: list]
    while next != Self.none, !isBefore(entries[Int(entry)].entry, entries[Int(next)].entry) {
      previous = next
      next = entries[Int(next)].next
    }
    entries[Int(entry)].next = next
    if let previous { entries[Int(previous)].next = entry } else { nodes[Int(node)][keyPath: list] = entry }
  }
}
