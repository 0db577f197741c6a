import Foundation
import Lifecycle
import LifecycleTracing
import ProcessHost
import Registry
import RegistryReports
import Routing
import ShopAPI

/// The app, which depends on the API and names no feature.
@main struct Shop {
  static func main() async throws {
    let arguments: Arguments
    let plugIns: [String]
    do {
      arguments = try Arguments(CommandLine.arguments.dropFirst())
      plugIns = try arguments.plugIns.map(PlugInFiles.find) ?? []
    } catch {
      giveUp(error)
    }

    let modules = ModuleManager.shared
    modules.context.environment = .development
    modules.context.configuration[.currency] = "CHF"
    modules.requireAllNeeds()
    let timeline = LifecycleTimeline()
    if arguments.trace != nil {
      timeline.observe(modules)
      timeline.observe(modules.context.services)
      timeline.observe(modules.context.services.router)
    }

    if arguments.reports {
      do throws(ImageLoadError) {
        for path in plugIns { _ = try modules.openPlugIn(at: path) }
      } catch {
        giveUp(error)
      }
      return report(modules)
    }

    // This handler runs after all modules have finished starting, while the host runs them.
    var visit: Task<Int32, Never>?
    modules.on(.modulesDidFinishStarting) { _ in
      visit = Task {
        let status = await open(arguments, plugIns, modules)
        if !arguments.serves { modules.triggerGracefulShutdown() }
        return status
      }
    }
    let end: ProcessHost.Termination
    do {
      end = try await ProcessHost(modules).run(launch: ContextValues { $0[.customer] = arguments.customer })
    } catch {
      giveUp(error)
    }

    // Refusing a link from outside is expected, so don't print it as a problem.
    let problems =
      modules.report().diagnostics
      + modules.context.services.router.report().diagnostics.filter { $0.code != "not-remote" }
    print(problems.isEmpty ? "No problems." : "Problems:")
    for problem in problems { print("  \(problem)") }
    if let trace = arguments.trace { write(timeline, to: trace) }
    end.exit(status: await visit?.value ?? 0)
  }

  /// Does the shop's work while it's open.
  ///
  /// - Returns: The exit status of the process.
  @MainActor static func open(
    _ arguments: Arguments, _ plugIns: [String], _ modules: ModuleManager
  ) async -> Int32 {
    await modules.waitUntilIdle()
    let services = modules.context.services
    let router = services.router
    // A module may handle a link that no route matches.
    let modulesTakeLinks = router.onNotFound { @MainActor request in
      guard let url = request.url, modules.trigger(.openShopLink, url.absoluteString) else { return nil }
      return "a module opened it"
    }
    defer { modulesTakeLinks.cancel() }
    if let link = arguments.link {
      print("A link:")
      return await show(link, from: .remote, router) ? 0 : 1
    }

    print("Modules, in order:")
    for name in modules.moduleNames { print("  \(name) (\(modules.image(of: name).map { "\($0)" } ?? "-"))") }

    print("Services found:")
    for record in services.report().records where record.kind == .service { print("  \(record)") }

    await screens(router, modules)

    print("A purchase:")
    var status: Int32 = 0
    do {
      try await purchase(["tea", "cup"], coupon: plugIns.isEmpty ? nil : "SPRING", modules)
      if !plugIns.isEmpty { try await Shop.visit(of: plugIns, modules, services) }
    } catch let error as ImageLoadError {
      // The shop continues without the plug-in, but the status reports that it was not opened.
      print("  \(error)")
      status = 1
    } catch {
      print("  \(error)")
    }

    print(arguments.serves ? "Open, until SIGINT or SIGTERM:" : "Tear-down, in reverse:")
    // Flush the output, because another program may be waiting for this line in a pipe or a file.
    fflush(nil)
    return status
  }

  /// Prints every record of the process.
  ///
  /// A test compares the output with that of `registry-tool list`, which reads the files.
  @MainActor static func report(_ modules: ModuleManager) {
    for record in modules.report().records {
      print("\(record.kind)\t\(record.image.path)\t\(record.attributes)")
    }
  }

  /// Writes the trace of the run to a file, and prints a table of the times.
  @MainActor static func write(_ timeline: LifecycleTimeline, to path: String) {
    do {
      try timeline.chromeTrace().write(to: URL(fileURLWithPath: path))
      print("The times of the run, in \(path) for https://ui.perfetto.dev:")
      print(timeline.table)
    } catch {
      giveUp(error)
    }
  }

  /// Prints an error on standard error and ends the process.
  static func giveUp(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }
}
