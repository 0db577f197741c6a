import Lifecycle
import Registry
import Routing
import ShopAPI

extension Shop {
  /// Opens plug-ins while the shop runs, makes a purchase with them, and closes them.
  ///
  /// The app doesn't know any plug-in. As with features, it uses their contents through the API's
  /// protocols and events.
  @MainActor static func visit(
    of paths: [String], _ modules: ModuleManager, _ services: ServiceManager
  ) async throws {
    // Print diagnostics below the plug-in that they're about instead of on standard error.
    services.onDiagnostic = { print("  \($0)") }
    modules.onDiagnostic = { print("  \($0)") }
    defer {
      services.onDiagnostic = Diagnostic.toStandardError
      modules.onDiagnostic = Diagnostic.toStandardError
    }

    var plugIns: [PlugIn] = []
    defer { for plugIn in plugIns.reversed() { plugIn.close() } }
    for path in paths {
      print("A plug-in is opened:")
      let plugIn = try modules.openPlugIn(at: path)
      plugIns.append(plugIn)
      for name in plugIn.moduleNames { print("  set up \(name) (\(modules.image(of: name).map { "\($0)" } ?? "-"))") }
      for record in plugIn.records { print("  \(record)") }
    }
    await modules.waitUntilIdle()

    print("Ways to pay, the one in use first:")
    for payment in try services.createServices(for: PaymentService.self) { print("  \(type(of: payment))") }

    showMenu()
    print("Its screen:")
    await show(.promotionLink, from: .remote, services.router)

    print("A purchase with the plug-in:")
    try await purchase(["tea", "cup"], coupon: "SPRING", modules)

    print("The plug-in is closed:")
    for plugIn in plugIns.reversed() { plugIn.close() }
    plugIns = []
    showMenu()
    await show(.promotionLink, from: .remote, services.router)

    print("A purchase without it:")
    try await purchase(["tea", "cup"], coupon: "SPRING", modules)
  }
}
