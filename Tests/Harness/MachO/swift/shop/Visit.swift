// The shop without its host, which waits for signals: starts the modules, opens screens, and buys
// something, as Examples/Shop/Sources/Shop/Shop.swift does.

import Foundation
import Lifecycle
import Registry
import Routing
import ShopAPI

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
    let problems =
      modules.report().diagnostics + Router.shared.report().diagnostics.filter { $0.code != .notRemote }
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
    for name in modules.modules { print("  \(name) (\(modules.image(of: name).map { "\($0)" } ?? "-"))") }
    print("Services found:")
    for record in modules.context.services.report().records where record.kind == .service { print("  \(record)") }
    await screens(router, modules)
    print("A purchase:")
    try await purchase(["tea", "cup"], modules, modules.context.services)
    modulesTakeLinks.cancel()
    print("Tear-down, in reverse:")
  }
}

@_silgen_name("host_exit") func endProcess(_ status: Int32) -> Never

@_cdecl("visit_shop") public func visitShop() -> Int32 {
  Task { @MainActor in
    do {
      try await Shop.visit()
      endProcess(0)
    } catch {
      print("Failed: \(error)")
      endProcess(1)
    }
  }
  return -1
}

/// Prints every record of the process, for comparison with registry-tool.
@_cdecl("report_shop") public func reportShop() -> Int32 {
  Task { @MainActor in
    for record in ModuleManager.shared.report().records {
      print("\(record.kind)\t\(record.hasAccessor ? "accessor" : "name")\t\(record.image.path)\t\(record.attributes)")
    }
    endProcess(0)
  }
  return -1
}
