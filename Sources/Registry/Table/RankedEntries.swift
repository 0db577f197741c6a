/// A list of implementations in the order of their ranks.
///
/// The list consists of short arrays, so that adding or removing one of many implementations moves
/// few others.
struct RankedEntries: Sequence {
  /// The number of entries at which an array is divided.
  private static let limit = 256

  /// The first array. Most services have one implementation, which needs no array of arrays.
  private(set) var head: [ServiceEntry] = []
  /// The other arrays, which are never empty.
  private(set) var tail: [[ServiceEntry]] = []

  init() {}

  /// Creates a list of entries in an order that only the caller knows.
  init(inOrder entries: [ServiceEntry]) {
    head = entries
  }

  var isEmpty: Bool { head.isEmpty }
  var first: ServiceEntry? { head.first }
  var count: Int { tail.reduce(head.count) { $0 + $1.count } }
  var all: [ServiceEntry] { tail.isEmpty ? head : head + tail.joined() }

  func makeIterator() -> IndexingIterator<[ServiceEntry]> { all.makeIterator() }

  /// Adds an entry.
  ///
  /// - Returns: Its index.
  mutating func insert(_ entry: ServiceEntry) -> Int {
    if head.isEmpty {
      head = [entry]
      return 0
    }
    let (run, index) = position(of: entry.rank)
    self[run].insert(entry, at: index)
    if self[run].count > Self.limit {
      tail.insert(Array(self[run][(Self.limit / 2)...]), at: run)
      self[run].removeSubrange((Self.limit / 2)...)
    }
    return start(of: run) + index
  }

  /// Removes an entry of the list.
  ///
  /// - Returns: Its former index.
  mutating func remove(_ entry: ServiceEntry) -> Int {
    let (run, index) = position(of: entry.rank)
    self[run].remove(at: index)
    defer {
      if self[run].isEmpty {
        if run > 0 { tail.remove(at: run - 1) } else if !tail.isEmpty { head = tail.removeFirst() }
      }
    }
    return start(of: run) + index
  }

  /// Returns the entry of a rank.
  func entry(of rank: Rank) -> ServiceEntry? {
    let (run, index) = position(of: rank)
    return index < self[run].count && self[run][index].rank == rank ? self[run][index] : nil
  }

  /// Returns the first entry that a closure accepts, at an index or after it.
  func first(
    from start: Int, where isAccepted: (ServiceEntry) -> Bool
  ) -> (index: Int, entry: ServiceEntry)? {
    var first = 0
    for run in 0...tail.count {
      let entries = self[run]
      if first + entries.count > start {
        for index in Swift.max(0, start - first)..<entries.count where isAccepted(entries[index]) {
          return (first + index, entries[index])
        }
      }
      first += entries.count
    }
    return nil
  }

  private subscript(run: Int) -> [ServiceEntry] {
    get { run == 0 ? head : tail[run - 1] }
    _modify { if run == 0 { yield &head } else { yield &tail[run - 1] } }
  }

  /// Returns the number of entries before an array.
  private func start(of run: Int) -> Int { (0..<run).reduce(0) { $0 + self[$1].count } }

  /// Returns the array and the index at which an entry of a rank is or would be inserted.
  private func position(of rank: Rank) -> (run: Int, index: Int) {
    // Usually the entry that is added last belongs at the end.
    if let last = (tail.last ?? head).last, last.rank < rank { return (tail.count, (tail.last ?? head).count) }
    let run = Self.partition(tail.count) { tail[$0][0].rank <= rank }
    let entries = self[run]
    return (run, Self.partition(entries.count) { entries[$0].rank < rank })
  }

  /// Returns the number of indices that meet a condition, which all precede those that do not.
  private static func partition(_ count: Int, _ condition: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
