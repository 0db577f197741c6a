/// Wraps methods of delegates in place, each once: calls of theirs go through the modules, and the delegate stays what it was.
///
/// - The method is replaced in the object's own class. One that is inherited is added to it, and finds what it inherits when it is
///   called: whoever replaces that later is not passed over.
/// - A method that another library has replaced before is the original; one that it replaces later calls ours as its original.
/// - A class is wrapped once, however often its objects are set as delegates, and whoever has replaced the method meanwhile.
/// - Where a method calls that of its superclass, which is wrapped as well, modules hear of it once.
/// - An object that forwards the call to another one does so still.
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
    wrap(
      selector, in: table.dispatchClass(of: object), isWanted: isWanted || table.responds(object, to: selector), make)
  }

  /// Wraps a method of a class.
  @discardableResult package func wrap(
    _ selector: String, in type: Table.Class, isWanted: Bool, _ make: MakeImplementation
  ) -> Bool {
    let site = Site(type: type, selector: selector)
    if hooks[site] != nil { return true }
    guard isWanted else { return false }
    let hook = MethodHook(selector, type, table.ownImplementation(of: selector, in: type), self)
    hooks[site] = hook
    table.setImplementation(make(hook), of: selector, in: type)
    return true
  }

  /// How many methods are wrapped.
  package var count: Int { hooks.count }
}

/// A method that was wrapped.
@MainActor package final class MethodHook<Table: MethodTable> {
  package let selector: String
  private let type: Table.Class
  /// What the class did itself.
  private let replaced: Table.Implementation?
  // Unowned: methods are never put back, and what wrapped them is never let go of.
  private unowned let hooks: MethodHooks<Table>

  fileprivate init(
    _ selector: String, _ type: Table.Class, _ replaced: Table.Implementation?, _ hooks: MethodHooks<Table>
  ) {
    self.selector = selector
    self.type = type
    self.replaced = replaced
    self.hooks = hooks
  }

  /// What the object would do by itself, and which object does it; nil if nobody does.
  private func original(_ object: AnyObject) -> OriginalMethod<Table>? {
    if let replaced { return OriginalMethod(implementation: replaced, receiver: object) }
    let table = hooks.table
    if let parent = table.superclass(of: type), let inherited = table.implementation(of: selector, in: parent) {
      return OriginalMethod(implementation: inherited, receiver: object)
    }
    guard let target = table.forwardingTarget(of: object, for: selector), target !== object,
      let theirs = table.implementation(of: selector, in: table.dispatchClass(of: target))
    else { return nil }
    return OriginalMethod(implementation: theirs, receiver: target)
  }

  /// Does a call of the method.
  ///
  /// - Parameters:
  ///   - object: Whose method is called.
  ///   - argument: What the call is about, to tell a call of the same method within it for something else; nil if
  ///     it is about nothing.
  ///   - otherwise: The result if neither the object nor modules do anything.
  ///   - alone: Does what the object does by itself.
  ///   - modules: Tells modules, and does what the object does, if that is not nil, where its turn is.
  package func call<Result>(
    _ object: AnyObject, about argument: AnyHashable? = nil, otherwise: Result,
    alone: (OriginalMethod<Table>) -> Result, modules: (OriginalMethod<Table>?) -> Result
  ) -> Result {
    let original = self.original(object)
    let isWithin = hooks.underWay.contains { $0.selector == selector && $0.argument == argument }
    // Whoever forwards to a delegate that tells modules itself leaves it to that one.
    if isWithin || original?.receiver is any TellsModules { return original.map(alone) ?? otherwise }
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
