/// A router's closures of one kind, in descending order of priority, then in registration order.
struct Listeners<Closure: Sendable>: Sendable {
  private var list: [(id: Int, priority: Int, location: String, closure: Closure)] = []
  private var count = 0

  var closures: [Closure] { list.map(\.closure) }

  /// The known source locations of the closures.
  var locations: [String] { list.map(\.location).filter { !$0.isEmpty } }

  mutating func add(_ closure: Closure, priority: Int = 0, at location: String = "") -> Int {
    count += 1
    let index = list.firstIndex { $0.priority < priority } ?? list.count
    list.insert((count, priority, location, closure), at: index)
    return count
  }

  /// Removes and returns a closure, or returns nil if it was already removed. The caller must
  /// release the closure outside its lock.
  mutating func remove(_ id: Int) -> Closure? {
    list.firstIndex { $0.id == id }.map { list.remove(at: $0).closure }
  }
}
