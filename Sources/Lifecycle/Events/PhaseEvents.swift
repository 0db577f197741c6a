// The manager triggers these events in every host, so they aren't part of AppHost.

extension Event where Payload == Void, Outcome == Void {
  /// An event that is triggered during the start, between the modules' setup and initialization.
  public static var modulesDidSetUp: Self { .init("modules.didSetUp") }
  /// An event that is triggered during the start, after the modules are initialized.
  ///
  /// Modules with ``ModuleInitialization/inNextTurn`` receive it after their own initialization.
  public static var modulesDidInitialize: Self { .init("modules.didInitialize") }
  /// An event that is triggered in the turn after the start, when the modules have finished
  /// starting.
  public static var modulesDidFinishStarting: Self { .init("modules.didFinishStarting") }
  /// An event that is triggered when the manager stops, before the first module is torn down, but
  /// not after a failed start.
  public static var modulesWillTearDown: Self { .init("modules.willTearDown") }
}

extension Event where Payload == String, Outcome == Void {
  /// An event that is triggered after a module is torn down because it was unregistered, unloaded,
  /// or removed after a failure.
  ///
  /// The payload is the module's name, as in ``ModuleManager/moduleNames``. The event is triggered
  /// only while the manager is running.
  public static var moduleDidUnregister: Self { .init("modules.didUnregister") }
}
