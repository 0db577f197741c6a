/// Wraps methods of delegates in place, each once: calls of theirs go through the modules, and the delegate stays what it was.
///
/// - The method is replaced in the object's own class. One that is inherited is added to it, and finds what it inherits when it is
///   called: whoever replaces that later is not passed over.
/// - A method that another library has replaced before is the original; one that it replaces later calls ours as its original.
/// - A class is wrapped once, however often its objects are set as delegates, and whoever has replaced the method meanwhile.
/// - Where a method calls that of its superclass, which is wrapped as well, modules hear of it once.
/// - An object that forwards the call to another one does so still, by naming the other one or by passing the call on as a whole.
/// - Where a method was added, the older one that a system calls where there is none is called by it.
@MainActor package final class MethodHooks<Table: MethodTable> {
  /// What is called in place of a method.
  package typealias MakeImplementation = @MainActor (MethodHook<Table>) -> Table.Implementation

  private struct Site: Hashable {
    let type: Table.Class
    let selector: String
  }

  package let table: Table
  private var hooks: [Site: MethodHook<Table>] = [:]
  fileprivate var underWay: [(selector: String, argument: AnyHashable?)] = []

  package init(_ table: Table) {
    self.table = table
  }

  /// Wraps a method of an object's class, unless that was done before.
  ///
  /// - Parameters:
  ///   - isWanted: Whether to add the method if the object has none.
  ///   - make: Makes what is called in its place.
  /// - Returns: Whether it is wrapped now.
  @discardableResult package func wrap(
    _ selector: String, of object: AnyObject, isWanted: Bool, _ make: MakeImplementation
  ) -> Bool {
    let (type, responds) = (table.dispatchClass(of: object), table.responds(object, to: selector))
    // It says that it has the method, and neither it nor whoever it names has.
    let passesOn =
      responds && table.implementation(of: selector, in: type) == nil
      && table.forwardingTarget(of: object, for: selector) == nil
    return wrap(selector, in: type, isWanted: isWanted || responds, passesOn: passesOn, make)
  }

  /// Wraps a method of a class.
  @discardableResult package func wrap(
    _ selector: String, in type: Table.Class, isWanted: Bool, passesOn: Bool = false, _ make: MakeImplementation
  ) -> Bool {
    let site = Site(type: type, selector: selector)
    if hooks[site] != nil { return true }
    guard isWanted else { return false }
    let hook = MethodHook(selector, type, table.ownImplementation(of: selector, in: type), passesOn, self)
    hooks[site] = hook
    table.setImplementation(make(hook), of: selector, in: type)
    return true
  }

  /// Returns a Boolean value that indicates whether an object, or the one that it forwards to, is a
  /// module notifier that receives a method.
  package func modulesAreNotified(by object: AnyObject?, _ selector: String) -> Bool {
    guard let object else { return false }
    if object is any ModuleNotifier { return true }
    guard table.implementation(of: selector, in: table.dispatchClass(of: object)) == nil else { return false }
    return table.forwardingTarget(of: object, for: selector) is any ModuleNotifier
  }

  /// How many methods are wrapped.
  package var count: Int { hooks.count }
}

/// A method that was wrapped.
@MainActor package final class MethodHook<Table: MethodTable> {
  package let selector: String
  // Unsafe: constants, and classes and implementations of Objective-C's are looked at on any thread; tests' on one.
  nonisolated(unsafe) package let type: Table.Class
  /// What the class did itself.
  nonisolated(unsafe) package let replaced: Table.Implementation?
  /// Whether objects of the class pass the call on as a whole.
  package let passesOn: Bool
  // Unowned: methods are never put back, and what wrapped them is never let go of.
  private unowned let hooks: MethodHooks<Table>

  fileprivate init(
    _ selector: String, _ type: Table.Class, _ replaced: Table.Implementation?, _ passesOn: Bool,
    _ hooks: MethodHooks<Table>
  ) {
    self.selector = selector
    self.type = type
    self.replaced = replaced
    self.passesOn = passesOn
    self.hooks = hooks
  }

  /// What the object would do by itself, and which object does it; nil if nobody does.
  private func original(_ object: AnyObject) -> OriginalMethod<Table>? {
    if let replaced { return OriginalMethod(implementation: replaced, receiver: object) }
    let table = hooks.table
    if let parent = table.superclass(of: type), let inherited = table.implementation(of: selector, in: parent) {
      return OriginalMethod(implementation: inherited, receiver: object)
    }
    if let target = table.forwardingTarget(of: object, for: selector), target !== object {
      return table.message(selector, to: target).map { OriginalMethod(implementation: $0, receiver: target) }
    }
    guard passesOn else { return nil }
    return table.forwarding(of: selector, in: type).map { OriginalMethod(implementation: $0, receiver: object) }
  }

  /// The first of the methods that a system would call if the object had none of this name, and what it does.
  ///
  /// To be asked where there is no original: the method was added, and hides these.
  package func older(_ object: AnyObject) -> (selector: String, method: OriginalMethod<Table>)? {
    for older in DelegateMethod.older[selector] ?? [] {
      if let implementation = hooks.table.message(older, to: object) {
        return (older, OriginalMethod(implementation: implementation, receiver: object))
      }
    }
    return nil
  }

  /// Does a call of the method.
  ///
  /// - Parameters:
  ///   - object: Whose method is called.
  ///   - argument: What the call is about, to tell a call of the same method within it for something else; nil if
  ///     it is about nothing.
  ///   - otherwise: Called within a call of the method, by a hook for one, where the object itself does nothing.
  ///   - alone: Does what the object does by itself.
  ///   - modules: Tells modules, and does what the object does, if that is not nil, where its turn is.
  package func call<Result>(
    _ object: AnyObject, about argument: AnyHashable? = nil, otherwise: @autoclosure () -> Result,
    alone: (OriginalMethod<Table>) -> Result, modules: (OriginalMethod<Table>?) -> Result
  ) -> Result {
    let original = self.original(object)
    let isWithin = hooks.underWay.contains { $0.selector == selector && $0.argument == argument }
    // Whoever forwards to a delegate that tells modules itself leaves it to that one.
    if isWithin || original?.receiver is any ModuleNotifier { return original.map(alone) ?? otherwise() }
    hooks.underWay.append((selector, argument))
    defer { hooks.underWay.removeLast() }
    return modules(original)
  }
}

/// What an object does by itself, without the modules.
package struct OriginalMethod<Table: MethodTable> {
  package let implementation: Table.Implementation
  /// The object, or the one that it forwards to.
  package let receiver: AnyObject
}
