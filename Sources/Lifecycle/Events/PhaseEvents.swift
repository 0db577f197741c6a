// The manager triggers these events in every host, so they are not part of AppHost.

extension Event where Payload == Void, Outcome == Void {
  /// An event that is triggered when every module has been set up and none has been initialized.
  public static var modulesDidSetUp: Self { .init("modules.didSetUp") }
  /// An event that is triggered when every module has been initialized.
  ///
  /// Modules that are initialized in the next turn of the main actor receive it after that.
  public static var modulesDidInitialize: Self { .init("modules.didInitialize") }
  /// An event that is triggered in the turn after the start, when every module has finished
  /// starting.
  public static var modulesDidFinishStarting: Self { .init("modules.didFinishStarting") }
  /// An event that is triggered before a stop tears down the first module.
  ///
  /// A start that failed does not trigger it.
  public static var modulesWillTearDown: Self { .init("modules.willTearDown") }
}

extension Event where Payload == String, Outcome == Void {
  /// An event that is triggered when a module was unregistered, or unloaded with its image, and has
  /// been torn down.
  ///
  /// The payload is the name in the module's record. The event is triggered only while the manager
  /// runs.
  public static var moduleDidUnregister: Self { .init("modules.didUnregister") }
}
