// The package's delegates, subclassed as in apps, and the call that installs the delegate hooks.
import AppHost
import Foundation
import Lifecycle

#if canImport(UIKit) && !os(watchOS)
import UIKit

final class ShopAppDelegate: ModuleAppDelegate {
  override var modules: ModuleManager { own }
  private let own = ModuleManager()

  override func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    url.scheme == "legacy" || super.application(application, open: url, options: options)
  }

  override func startModules(launch: ContextValues) throws {
    Task { try await modules.run(launch: launch) }
  }

  override func modulesFailedToStart(_ error: any Error) { print(error) }
}

final class ShopSceneDelegate: ModuleSceneDelegate {
  override func sceneDidBecomeActive(_ scene: UIScene) {
    super.sceneDidBecomeActive(scene)
  }
}
#elseif canImport(AppKit)
import AppKit

final class ShopAppDelegate: ModuleAppDelegate {
  override func application(_ application: NSApplication, open urls: [URL]) {
    super.application(application, open: urls.filter { $0.scheme != "legacy" })
  }
}
#endif

#if !os(watchOS)
@MainActor func hooked() {
  let hooks = DelegateHooks.install(ModuleManager(), startsModules: false, timeLimit: 10)
  hooks.update()
}
#endif
