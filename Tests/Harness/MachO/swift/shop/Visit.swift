// The shop without its host, which waits for signals: starts the modules, opens screens, and buys
// something, as Examples/Shop/Sources/Shop/Shop.swift does.

import Foundation
import Lifecycle
import Registry
import RegistryReports
import Routing
import ShopAPI

/// A module of the app's own image.
@ExportModule(after: ["Account.AccountModule"])
final class ReceptionModule: Module {
  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("reception: closed")
  }
}

struct Guest: Codable, Sendable { let name: String }

#exportAction("reception", "greet") { (guest: Guest) in "good day, \(guest.name)" }

/// The path of the plug-in, which no image links.
private var plugIn: String { ProcessInfo.processInfo.environment["SHOP_PLUG_IN"]! }

enum Shop {
  @MainActor static func visit() async throws {
    let modules = ModuleManager.shared
    modules.context.environment = .development
    modules.context.configuration[.currency] = "CHF"
    // As with the shop's host, the work begins after all modules have finished starting.
    modules.on(.modulesDidFinishStarting) { _ in
      Task {
        do { try await work(modules) } catch { print("  \(error)") }
        modules.triggerGracefulShutdown()
      }
    }
    try await modules.run(launch: ContextValues { $0[.customer] = "Ada" })
    // Two refusals are expected, and were printed before: of a link from outside, and of the
    // plug-in's payment service, which does not replace that of the app.
    let diagnostics = modules.report().diagnostics + Router.shared.report().diagnostics
    let problems = diagnostics.filter { $0.code != .notRemote && $0.code != .takeover }
    print(problems.isEmpty ? "No problems." : "Problems:")
    for problem in problems { print("  \(problem)") }
  }

  @MainActor private static func work(_ modules: ModuleManager) async throws {
    await modules.waitUntilIdle()
    let router = Router.shared
    let modulesTakeLinks = router.onNotFound { @MainActor request in
      guard let url = request.url, modules.trigger(.openShopLink, url.absoluteString) else { return nil }
      return "a module opened it"
    }
    print("Modules, in order:")
    for name in modules.moduleNames { print("  \(name) (\(modules.image(of: name).map { "\($0)" } ?? "-"))") }
    print("Services found:")
    for record in modules.context.services.report().records where record.kind == .service { print("  \(record)") }
    print("An action: \(try await router.perform("reception", "greet", ["name": "Ada"], as: String.self))")
    await screens(router, modules)
    print("A purchase:")
    try await purchase(["tea", "cup"], modules)
    try await visit(of: [plugIn], modules, modules.context.services)
    modulesTakeLinks.cancel()
    print("Tear-down, in reverse:")
  }
}

@_silgen_name("exit") func endProcess(_ status: Int32) -> Never

/// Runs work on the main actor, and then ends the process.
private func run(_ work: @escaping @MainActor () async throws -> Void) -> Int32 {
  Task { @MainActor in
    do {
      try await work()
      endProcess(0)
    } catch {
      print("Failed: \(error)")
      endProcess(1)
    }
  }
  return -1
}

@_cdecl("visit_shop") public func visitShop() -> Int32 { run { try await Shop.visit() } }

/// Prints every record of the process as JSON, and its report, for comparison with registry-tool.
@_cdecl("report_shop") public func reportShop() -> Int32 {
  run {
    _ = try ModuleManager.shared.openPlugIn(at: plugIn)
    let report = ModuleManager.shared.report()
    for record in report.records {
      print(
        """
        record {"kind": "\(record.kind)", "path": "\(record.image.path)", \
        "product": "\(record.image.productName)", "attributes": \(record.attributes)}
        """)
    }
    print(report)
  }
}
