import Lifecycle

/// A module that starts after the app's module.
@ExportModule(after: ["App.AppModule"])
final class ExtraModule: Module {
  init() {}
}
