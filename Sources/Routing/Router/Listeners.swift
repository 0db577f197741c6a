/// The closures of one kind that a router has received, by descending priority and then by
/// registration.
struct Listeners<Closure: Sendable>: Sendable {
  private var list: [(id: Int, priority: Int, location: String, closure: Closure)] = []
  private var count = 0

  var closures: [Closure] { list.map(\.closure) }

  /// The source locations of the registrations, except for closures whose registration states none.
  var locations: [String] { list.map(\.location).filter { !$0.isEmpty } }

  mutating func add(_ closure: Closure, priority: Int = 0, at location: String = "") -> Int {
    count += 1
    let index = list.firstIndex { $0.priority < priority } ?? list.count
    list.insert((count, priority, location, closure), at: index)
    return count
  }

  /// Removes and returns a closure, which the caller must release outside its lock; nil if it was
  /// already removed.
  mutating func remove(_ id: Int) -> Closure? {
    list.firstIndex { $0.id == id }.map { list.remove(at: $0).closure }
  }
}
