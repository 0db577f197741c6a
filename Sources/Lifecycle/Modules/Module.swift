/// A part of an app that is set up with it and told what happens.
///
/// ```swift
/// @ExportModule(priority: 10, after: ["Account.AccountModule"])
/// final class CartModule: Module {
///   static func subscribe(_ events: Subscriptions<CartModule>) {
///     events.on(.userDidLogIn) { module, user, context in module.greet(user) }
///   }
///   func setUp(_ context: Context) throws { … }
/// }
/// ```
///
/// A ``ModuleManager`` makes one instance of each module when it starts, in order, and lets go of it after
/// ``tearDown(_:)``. Everything here runs on the main actor. All but the initializer is optional to write. What takes time, or is
/// there to run on a server, is an ``AsyncModule``.
@MainActor public protocol Module: AnyObject {
  /// Makes the module, right before it is set up.
  init() throws

  /// Says which events the module wants, before it exists.
  static func subscribe(_ events: Subscriptions<Self>)

  /// Makes ready what others may use. What comes before this module in the order has been set up.
  ///
  /// If this throws while the manager starts, what was set up is torn down again and
  /// ``ModuleManager/start(launch:)`` throws; a module that came later is dropped and reported.
  func setUp(_ context: Context) throws

  /// Does what needs other modules: all have been set up. If this throws, the same happens as in
  /// ``setUp(_:)``.
  func initialize(_ context: Context) throws

  /// Does what can wait for the turn of the main loop after the start.
  func didFinishStarting(_ context: Context) throws

  /// Undoes ``setUp(_:)``. Modules are torn down in reverse order; one that throws does not stop the others.
  func tearDown(_ context: Context) throws

  /// Not API: whether it is an ``AsyncModule``. A cast would look through the conformances of the whole process, for each module.
  static var __hasAsyncPhases: Bool { get }
}

extension Module {
  public static func subscribe(_ events: Subscriptions<Self>) {}
  public func setUp(_ context: Context) throws {}
  public func initialize(_ context: Context) throws {}
  public func didFinishStarting(_ context: Context) throws {}
  public func tearDown(_ context: Context) throws {}
  public static var __hasAsyncPhases: Bool { false }
}
