/// Patterns, for finding those that match a URL.
///
/// A tree with a branch for each kind of segment. A URL is followed down from the scheme, at every node along the narrowest
/// branch first; where that leads nowhere, or the caller refuses what it finds, the next is tried. Every node is entered once
/// at most, whatever the URL: the work is bounded by the number of patterns that begin as it does, and by its size.
///
/// A value. What leads from node to node lies in flat arrays, so that a match touches little memory and counts no references.
package struct PatternTrie: Sendable {
  /// Two patterns that match the same URLs, and neither before the other.
  package struct Conflict: Sendable {
    /// Of the smaller payload: found first.
    package let first: (pattern: PatternSyntax, payload: Int)
    package let second: (pattern: PatternSyntax, payload: Int)
  }

  /// Lists are linked by indices; -1 ends them.
  static let none: Int32 = -1

  struct Node {
    /// The branches to what is not literal, narrowest first.
    var branch = PatternTrie.none
    /// The patterns that end here.
    var exact = PatternTrie.none
    /// The patterns that have `**` here.
    var rest = PatternTrie.none
    var hasLiterals = false
  }

  /// A branch that takes any segment of a kind.
  struct Branch {
    let kind: Kind
    /// In ``text``.
    let suffix: Range<Int32>
    let child: Int32
    var next: Int32
  }

  enum Kind: Equatable {
    case typed(ParameterType)
    case any
    case wildcard

    /// What is tried before what.
    var rank: UInt8 {
      switch self {
      case .typed: 0
      case .any: 1
      case .wildcard: 2
      }
    }
  }

  /// A pattern with what it stands for. A class, so that a match counts one reference.
  final class Entry: Sendable {
    let pattern: PatternSyntax
    let payload: Int
    let names: [String]

    init(_ pattern: PatternSyntax, _ payload: Int) {
      self.pattern = pattern
      self.payload = payload
      names = pattern.parameters.map(\.name)
    }
  }

  /// An entry in the list of those that end at a node.
  struct ListedEntry {
    let entry: Entry
    var next: Int32
  }

  private(set) var nodes: [Node] = []
  private(set) var branches: [Branch] = []
  private(set) var entries: [ListedEntry] = []
  private(set) var literals = LiteralTable()
  /// The suffixes.
  private(set) var text: [UInt8] = []

  package init() {}

  /// How many patterns there are.
  package var count: Int { entries.count }

  /// Adds a pattern. In which order patterns are added does not matter: of those with the same shape, the one with
  /// the smaller payload is found first.
  package mutating func insert(_ pattern: PatternSyntax, payload: Int) {
    let entry = Int32(entries.count)
    entries.append(ListedEntry(entry: Entry(pattern, payload), next: Self.none))
    let scheme = literal(Array(pattern.scheme.utf8), from: .scheme)
    guard let host = pattern.host else {
      // Beside the tree: what a scheme falls back to is asked when all else is.
      link(entry, \.exact, of: scheme)
      return
    }
    var node = pattern.port.map { literal([UInt8($0 >> 8), UInt8($0 & 0xff)], from: .port(scheme)) } ?? scheme
    for segment in [host] + pattern.segments {
      switch segment {
      case .literal(let text): node = literal(Array(text.utf8), from: .node(node))
      case .parameter(let parameter):
        node = child(of: node, parameter.type.map { .typed($0) } ?? .any, Array(parameter.suffix.utf8))
      case .wildcard: node = child(of: node, .wildcard, [])
      case .rest:
        link(entry, \.rest, of: node)
        return
      }
    }
    link(entry, \.exact, of: node)
  }

  /// Pairs of patterns of the same shape, whatever their payloads: each with the one that is found first.
  package var conflicts: [Conflict] {
    var conflicts: [Conflict] = []
    for first in nodes.flatMap({ [$0.exact, $0.rest] }) where first != Self.none {
      let winner = entries[Int(first)].entry
      var next = entries[Int(first)].next
      while next != Self.none {
        let loser = entries[Int(next)].entry
        conflicts.append(
          Conflict(first: (winner.pattern, winner.payload), second: (loser.pattern, loser.payload)))
        next = entries[Int(next)].next
      }
    }
    return conflicts.sorted {
      ($0.first.payload, $0.second.payload, $0.second.pattern.text)
        < ($1.first.payload, $1.second.payload, $1.second.pattern.text)
    }
  }

  // MARK: Growing

  private mutating func makeNode() -> Int32 {
    nodes.append(Node())
    return Int32(nodes.count - 1)
  }

  private mutating func literal(_ bytes: [UInt8], from parent: LiteralTable.Parent) -> Int32 {
    if let child = literals.find(bytes, 0..<bytes.count, from: parent) { return child }
    let child = makeNode()
    literals.insert(bytes, from: parent, child)
    if case .node(let node) = parent { nodes[Int(node)].hasLiterals = true }
    return child
  }

  private mutating func child(of node: Int32, _ kind: Kind, _ suffix: [UInt8]) -> Int32 {
    var previous: Int32?
    var next = nodes[Int(node)].branch
    while next != Self.none {
      let branch = branches[Int(next)]
      let other = suffixBytes(branch)
      if branch.kind == kind, other.elementsEqual(suffix) { return branch.child }
      if isBefore(kind, suffix[...], branch.kind, other) { break }
      previous = next
      next = branch.next
    }
    let start = Int32(text.count)
    text += suffix
    let child = makeNode()
    branches.append(Branch(kind: kind, suffix: start..<Int32(text.count), child: child, next: next))
    let new = Int32(branches.count - 1)
    if let previous { branches[Int(previous)].next = new } else { nodes[Int(node)].branch = new }
    return child
  }

  func suffixBytes(_ branch: Branch) -> ArraySlice<UInt8> {
    text[Int(branch.suffix.lowerBound)..<Int(branch.suffix.upperBound)]
  }

  /// Typed before untyped before wildcards; then longer suffixes before shorter ones and none; then the narrower type.
  private func isBefore(
    _ a: Kind, _ aSuffix: ArraySlice<UInt8>, _ b: Kind, _ bSuffix: ArraySlice<UInt8>
  ) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    if aSuffix.count != bSuffix.count { return aSuffix.count > bSuffix.count }
    if case .typed(let aType) = a, case .typed(let bType) = b, aType != bType { return aType.order < bType.order }
    // No segment ends with both.
    return aSuffix.lexicographicallyPrecedes(bSuffix)
  }

  /// Puts a pattern into a list of those that end at a node: in the order of payloads, then of texts.
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
