import Registry

/// The methods for which there is no event, and which a delegate forwards to other objects.
///
/// An object receives a call only if the delegate's protocol declares the method. The methods of
/// events are not forwarded, because modules receive these.
// Unchecked because a lock guards the objects, and threads only ask them whether they respond.
final class ForwardedMethods: @unchecked Sendable {
  private let listed: Set<String>
  private let declares: @Sendable (String) -> Bool
  private let responds: @Sendable (AnyObject, String) -> Bool
  private let targets = Locked<[AnyObject]>([])

  /// Creates the methods of one protocol, without objects.
  ///
  /// - Parameters:
  ///   - role: The protocol.
  ///   - declares: A closure that returns `true` if the protocol declares an optional method.
  ///   - responds: A closure that returns `true` if an object has a method.
  init(
    _ role: DelegateMethod.Role, declares: @escaping @Sendable (String) -> Bool,
    responds: @escaping @Sendable (AnyObject, String) -> Bool
  ) {
    listed = Set(DelegateMethod.all(of: role).map(\.selector))
    self.declares = declares
    self.responds = responds
  }

  /// Replaces the objects.
  func forward(to objects: [AnyObject]) {
    // The lock is released before the previous objects are, because their deinitializers can do
    // anything.
    let previous = targets.withLock { targets in
      defer { targets = objects }
      return targets
    }
    withExtendedLifetime(previous) {}
  }

  /// Returns the first object that receives a call of a method, or nil if the delegate does not
  /// forward it.
  ///
  /// Systems can call a delegate on any thread.
  func target(for selector: String) -> AnyObject? {
    let objects = targets.withLock { $0 }
    guard !objects.isEmpty, !listed.contains(selector), declares(selector) else { return nil }
    return objects.first { responds($0, selector) }
  }
}
