public import Registry

extension ModuleManager {
  /// Selected in a file that doesn't import `RegistryReports`.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "add 'import RegistryReports' to this file, and the product to its target")
  public func report() -> RegistryReport { fatalError() }
}
