extension ServiceManager {
  /// The conditions that hold for the exported services of this manager.
  ///
  /// ```swift
  /// services.conditions.insert(.flag("new-cart"))
  /// services.conditions.remove(.test)
  /// ```
  ///
  /// A manager evaluates the conditions of a service when the service is first used, so set them
  /// before the first lookup. Later changes apply to services that were not used yet, and to images
  /// that are loaded later. In a test scope, the conditions belong to the scope, which evaluates
  /// them again.
  ///
  /// By default, the conditions are those of the parent, or else of the process:
  ///
  /// - `.preview` if the environment variable `XCODE_RUNNING_FOR_PREVIEWS` is `1`
  /// - `.test` if Xcode runs tests in the process, so that it has the environment variable
  ///   `XCTestConfigurationFilePath` or `XCTestBundlePath`, or if the executable is `xctest`,
  ///   `swiftpm-testing-helper`, or has the extension `xctest`, as with `swift test`
  /// - `.flag(name)` for each name in the environment variable `REGISTRY_FLAGS`, in which commas
  ///   separate the names
  ///
  /// `.debug` and `.release` depend on the build of the exporting module, so the set never contains
  /// them. You can use this property on any thread.
  public var conditions: Set<ServiceCondition> {
    get { core.current.conditions }
    nonmutating set {
      core.current.ownConditions.withLock { $0.set = newValue.without(Set(of: [.debug, .release])) }
    }
  }
}
