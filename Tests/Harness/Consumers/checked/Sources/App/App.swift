import Lifecycle

@ExportModule
final class AppModule: Module {
  init() {}
}

@main struct App {
  static func main() {}
}
