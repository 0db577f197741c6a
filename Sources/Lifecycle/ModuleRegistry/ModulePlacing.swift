// The rules of the order of modules, for whoever has modules and for whoever has only what their
// records say.

/// Who may come next: the higher priority, then the smaller name.
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

package enum ModulePlacing {
  /// Orders the modules of a level, which are known by their places as they would stand if none
  /// named another.
  ///
  /// - Parameters:
  ///   - waiting: By place, for how many others a module waits. Those still wait afterwards that
  ///     could not be placed.
  ///   - followers: By place, who waits for a module.
  package static func order(_ waiting: inout [Int], _ followers: [Int: [Int]]) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(waiting.count)
    var ready = Heap<Int>()
    for place in waiting.indices where waiting[place] == 0 { ready.insert(place) }
    while let next = ready.removeFirst() {
      order.append(next)
      for follower in followers[next] ?? [] {
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.insert(follower) }
      }
    }
    return order
  }

  /// A path from a module back to itself, through modules that wait for each other, with what each
  /// names in `after`.
  package static func circle(among waiting: [String: [String]]) -> [String] {
    // Whoever waits waits for somebody who waits: following them must come back.
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
