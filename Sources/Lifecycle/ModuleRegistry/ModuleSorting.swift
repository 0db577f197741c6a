/// The rank of a module among those that could be next.
///
/// The highest priority comes first, and then the smallest name.
struct ModuleRank: Comparable {
  let priority: Int
  let name: String

  init(priority: Int, name: String) {
    self.priority = priority
    self.name = name
  }

  static func < (x: Self, y: Self) -> Bool {
    x.priority == y.priority ? x.name < y.name : x.priority > y.priority
  }
}

enum ModuleSorting {
  /// Orders the modules of a level.
  ///
  /// A module is identified by its position in the order that the level has if no module names
  /// another one.
  ///
  /// - Parameters:
  ///   - waiting: The number of modules that each module waits for. Afterward, it is not zero for
  ///     the modules that are part of a cycle or wait for one.
  ///   - followers: The modules that wait for each module.
  /// - Returns: The positions in order.
  static func order(_ waiting: inout [Int], _ followers: [Int: [Int]]) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(waiting.count)
    var ready = Heap<Int>()
    for position in waiting.indices where waiting[position] == 0 { ready.insert(position) }
    while let next = ready.removeFirst() {
      order.append(next)
      for follower in followers[next] ?? [] {
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.insert(follower) }
      }
    }
    return order
  }
}

/// A binary heap, smallest first.
private struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> Element? {
    guard let first = elements.first else { return nil }
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var parent = 0
    while 2 * parent + 1 < elements.count {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      let least = right < elements.count && elements[right] < elements[left] ? right : left
      guard elements[least] < elements[parent] else { break }
      elements.swapAt(least, parent)
      parent = least
    }
    return first
  }
}
