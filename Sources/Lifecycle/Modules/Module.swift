/// A component that a manager creates, sets up, and sends events to.
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
/// A ``ModuleManager`` creates one instance of each module, usually when the manager starts, and
/// releases the instance after ``tearDown(_:)``. All methods run on the main actor, and all except
/// the initializer have default implementations that do nothing. For phases that take time, such as
/// running a server, use ``AsyncModule``.
@MainActor public protocol Module: AnyObject {
  /// Creates the module. The manager sets it up right afterward.
  init() throws

  /// Adds the module's event handlers, before an instance exists.
  static func subscribe(_ events: Subscriptions<Self>)

  /// Prepares what other modules use. The modules that precede this one are already set up, unless
  /// they wait for their first event.
  ///
  /// If the method throws during the start, the manager tears down all modules that are set up, and
  /// ``ModuleManager/start(launch:)`` throws. A module that was added after the start, or that an
  /// event activates, is reported and removed instead.
  func setUp(_ context: Context) throws

  /// Performs work that needs other modules, which are all set up or wait for their first event.
  ///
  /// Errors have the same effect as in ``setUp(_:)`` unless the initialization is `.inNextTurn`.
  func initialize(_ context: Context) throws

  /// Performs work that can wait until the main actor's next turn after the start.
  ///
  /// Errors are reported, and the other modules continue.
  func didFinishStarting(_ context: Context) throws

  /// Reverts the setup. Modules are torn down in reverse order.
  ///
  /// Errors are reported, and the other modules are torn down as well.
  func tearDown(_ context: Context) throws

  /// A Boolean value that indicates whether the module is asynchronous. Not API.
  ///
  /// A cast to ``AsyncModule`` would search all conformances in the process for each module.
  static var __hasAsyncPhases: Bool { get }
}

extension Module {
  @_disfavoredOverload
  public static func subscribe(_ events: Subscriptions<Self>) {}

  /// Selected by the expansion of `@ExportModule(activation: .onFirstEvent)` if the class doesn't
  /// declare the function. The compiler reports the message at the class.
  // The parameter is optional, so that the type checker prefers a generic function of the class,
  // which needs no conversion to an optional.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(*, deprecated, message: "no event creates this module; declare 'subscribe(_:)' or omit 'activation'")
  public static func subscribe(_ events: Subscriptions<Self>?) -> Never { fatalError() }

  public func setUp(_ context: Context) throws {}
  public func initialize(_ context: Context) throws {}
  public func didFinishStarting(_ context: Context) throws {}
  public func tearDown(_ context: Context) throws {}
  public static var __hasAsyncPhases: Bool { false }
}
