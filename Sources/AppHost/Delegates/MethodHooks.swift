/// The wrapped methods of delegates. Calling them also runs modules.
///
/// Each method is wrapped once and in place, so the delegate stays the same object.
///
/// - The method is replaced in the object's own class. If the class only inherits the method, the
///   hooks add a method that looks up the inherited method on each call, because other code can
///   replace it.
/// - If another library replaced the method earlier, its replacement is the original. If a library
///   replaces the method later, these hooks are the original that its replacement calls.
/// - A class is wrapped once, even if several of its objects become delegates and other code
///   replaces the method in between.
/// - If a method calls its superclass's method, which is also wrapped, modules receive the event
///   once.
/// - An object that forwards the call, to a target or as an invocation, continues to do so.
/// - An added method calls the older method that the system would otherwise call.
@MainActor package final class MethodHooks<Table: MethodTable> {
  package typealias MakeImplementation = @MainActor (MethodHook<Table>) -> Table.Implementation

  // Unsafe because other threads use the table, too. They call only thread-safe functions.
  nonisolated(unsafe) package let table: Table
  fileprivate let links: LinkQueue
  private var wrapped: [Table.Class: Set<String>] = [:]
  fileprivate var underWay: [(selector: String, argument: AnyHashable?)] = []

  package init(_ table: Table, _ links: LinkQueue) {
    self.table = table
    self.links = links
  }

  /// Wraps a method in an object's class once, if it's wanted or the object responds to it.
  package func wrap(_ selector: String, of object: AnyObject, isWanted: Bool, _ make: MakeImplementation) {
    let (type, responds) = (table.dispatchClass(of: object), table.responds(object, to: selector))
    // If the object responds, but has neither the method nor a forwarding target, it forwards the
    // call as an invocation.
    let passesOn =
      responds && table.implementation(of: selector, in: type) == nil
      && table.forwardingTarget(of: object, for: selector) == nil
    wrap(selector, in: type, isWanted: isWanted || responds, passesOn: passesOn, make)
  }

  package func wrap(
    _ selector: String, in type: Table.Class, isWanted: Bool, passesOn: Bool = false, _ make: MakeImplementation
  ) {
    guard isWanted, wrapped[type, default: []].insert(selector).inserted else { return }
    let hook = MethodHook(
      selector: selector, type: type, replaced: table.ownImplementation(of: selector, in: type), passesOn: passesOn,
      hooks: self)
    table.setImplementation(make(hook), of: selector, in: type)
  }

  /// Returns true if an object, or the target that it forwards a method to, is a module notifier.
  package func modulesAreNotified(by object: AnyObject?, _ selector: String) -> Bool {
    guard let object else { return false }
    if object is any ModuleNotifier { return true }
    guard table.implementation(of: selector, in: table.dispatchClass(of: object)) == nil else { return false }
    return table.forwardingTarget(of: object, for: selector) is any ModuleNotifier
  }
}

@MainActor package struct MethodHook<Table: MethodTable> {
  package let selector: String
  // Unsafe because any thread can read these constants. Objective-C allows that; tests use one
  // thread.
  nonisolated(unsafe) package let type: Table.Class
  /// The class's own implementation, or nil if the class inherited or lacked the method.
  nonisolated(unsafe) package let replaced: Table.Implementation?
  /// True if objects of the class forward the call as an invocation.
  package let passesOn: Bool
  // Unowned because the hooks are never deallocated: a wrapped method is never restored.
  fileprivate nonisolated unowned let hooks: MethodHooks<Table>

  /// Returns the implementation that the object has without the hook, or nil if there is none.
  ///
  /// You can call it on any thread, like the table's functions.
  package nonisolated func original(_ object: AnyObject) -> OriginalMethod<Table>? {
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

  /// Returns the first older method that a system calls if an object lacks this method. If there's
  /// no original, call the result, because the hook added a method that hides the older methods.
  package func older(_ object: AnyObject) -> (selector: String, method: OriginalMethod<Table>)? {
    for older in DelegateMethod.older[selector] ?? [] {
      if let implementation = hooks.table.message(older, to: object) {
        return (older, OriginalMethod(implementation: implementation, receiver: object))
      }
    }
    return nil
  }

  /// Runs a call to the method.
  ///
  /// - Parameters:
  ///   - object: The object that receives the call.
  ///   - argument: The subject of the call, or nil. A nested call with another subject triggers its
  ///     own event.
  ///   - otherwise: The result of a nested call if the object itself lacks the method.
  ///   - alone: A closure that runs the original without modules.
  ///   - modules: A closure that triggers the event and, as the app's own handling, runs the
  ///     original if there is one.
  package func call<Result>(
    _ object: AnyObject, about argument: AnyHashable? = nil, otherwise: @autoclosure () -> Result,
    alone: (OriginalMethod<Table>) -> Result, modules: (OriginalMethod<Table>?) -> Result
  ) -> Result {
    let original = self.original(object)
    let isWithin = hooks.underWay.contains { $0.selector == selector && $0.argument == argument }
    // If the object forwards to a module notifier, the notifier triggers the event.
    if isWithin || original?.receiver is any ModuleNotifier { return original.map(alone) ?? otherwise() }
    hooks.underWay.append((selector, argument))
    defer { hooks.underWay.removeLast() }
    // If the original calls another wrapped method with the same link, count the link once.
    return hooks.links.duringCall { modules(original) }
  }
}

/// A method's implementation without the modules, and its receiver.
package struct OriginalMethod<Table: MethodTable> {
  package let implementation: Table.Implementation
  /// The object, or the target that the object forwards to.
  package let receiver: AnyObject
}
