import Lifecycle

/// For the app, whose module it names.
@ExportModule(after: ["App.AppModule"])
final class ExtraModule: Module {
  init() {}
}
