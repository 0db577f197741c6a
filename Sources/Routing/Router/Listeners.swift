/// Closures that were given to a router, by priority and then in the order in which they came.
struct Listeners<Closure: Sendable>: Sendable {
  private var list: [(number: Int, priority: Int, closure: Closure)] = []
  private var count = 0

  /// In order.
  var closures: [Closure] { list.map(\.closure) }

  /// Adds one.
  ///
  /// - Returns: What it is removed by.
  mutating func add(_ closure: Closure, priority: Int = 0) -> Int {
    count += 1
    let place = list.firstIndex { $0.priority < priority } ?? list.count
    list.insert((count, priority, closure), at: place)
    return count
  }

  func contains(_ number: Int) -> Bool { list.contains { $0.number == number } }

  /// Removes one.
  ///
  /// - Returns: It, for the caller to let go of outside of its lock; nil if it is not there any more.
  mutating func remove(_ number: Int) -> Closure? {
    list.firstIndex { $0.number == number }.map { list.remove(at: $0).closure }
  }
}

/// Ends what a router was given: a handler, an interceptor, an observer.
///
/// It goes on if the token is let go of.
public struct RouteToken: Sendable {
  private let isThere: @Sendable () -> Bool
  private let remove: @Sendable () -> Bool

  init(isThere: @escaping @Sendable () -> Bool, remove: @escaping @Sendable () -> Bool) {
    self.isThere = isThere
    self.remove = remove
  }

  /// Whether it was not ended.
  public var isActive: Bool { isThere() }

  /// Ends it. Openings under way may still reach it.
  ///
  /// - Returns: Whether it was still there.
  @discardableResult
  public func cancel() -> Bool { remove() }
}
