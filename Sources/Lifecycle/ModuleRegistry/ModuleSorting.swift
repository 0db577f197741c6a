// The rules of the order of modules. The manager applies them to modules, the tool to records.

/// The rank of a module among those that could be next.
///
/// The highest priority comes first, and then the smallest name.
package struct ModuleRank: Comparable {
  package let priority: Int
  package let name: String

  package init(priority: Int, name: String) {
    self.priority = priority
    self.name = name
  }

  package static func < (x: Self, y: Self) -> Bool {
    x.priority == y.priority ? x.name < y.name : x.priority > y.priority
  }
}

package enum ModuleSorting {
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
  package static func order(_ waiting: inout [Int], _ followers: [Int: [Int]]) -> [Int] {
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

  /// Returns a path from a module back to itself, through modules that wait for each other.
  ///
  /// - Parameter waiting: The names in `after` of each module that waits.
  package static func cycle(among waiting: [String: [String]]) -> [String] {
    // Every module that waits names one that waits, so following the names must lead back.
    var name = waiting.keys.min()!
    var path: [String] = []
    var position: [String: Int] = [:]
    while position[name] == nil {
      position[name] = path.count
      path.append(name)
      name = waiting[name]!.filter { waiting[$0] != nil }.min()!
    }
    return path[position[name]!...] + [name]
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
