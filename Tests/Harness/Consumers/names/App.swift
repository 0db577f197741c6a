import Foundation
import Lifecycle
import NamesAPI
import Registry
import Routing

struct MockCart: CartService {
  var kind: String { "mock" }
}

/// A module that cancels the task that runs it.
final class ServerModule: AsyncModule {
  static var running: Task<Void, any Error>?
  func becomeReady(_ context: Context) async throws { print("server is ready") }
  func run(_ context: Context) async throws { Self.running?.cancel() }
  func shutDown(_ context: Context) async throws { print("server is shut down") }
}

/// A program that uses the names that do not change, and prints their effects.
@main struct App {
  static func main() async throws {
    let modules = ModuleManager.shared
    try modules.start()
    modules.trigger(.visitorCame, "Ada")
    for link in ["shop:7", "other:7"] { print("\(link) is handled: \(modules.trigger(.openLink, link))") }
    for name in ["Ada", "Bob"] { modules.trigger(.userDidLogIn, User(name: name)) }
    let subscription = modules.on(.userDidLogIn) { user, context in print("at run time: \(user.name)") }
    modules.trigger(.userDidLogIn, User(name: "Cid"))
    subscription.cancel()
    modules.trigger(.userDidLogIn, User(name: "Dot"))

    try await useServices()
    let router = Router.shared
    print(try await router.open(.orderDetail, OrderLink(id: 7)).title)
    print(try await router.open(.orderList))
    if let url = URL(string: "shop://order/8") {
      _ = try await router.open(url, from: .remote)
    }
    let problems: [Diagnostic] = modules.report().diagnostics
    print("problems: \(problems)")
    modules.stop()

    modules.register(ServerModule.self)
    let running = Task { try await modules.run() }
    ServerModule.running = running
    _ = await running.result
  }

  static func useServices() async throws {
    let services = ServiceManager.shared
    print(try services.createService(for: CartService.self).kind)
    print(try services.createService(for: CartService.self, named: "gift").kind)
    print(try services.createServices(for: CartService.self).map(\.kind))
    print(try await services.service(for: Screen.self).title)
    print(try await services.service(for: CartService.self, named: "gift").kind)
    print(try services.createService(for: Clock.self).now())
    print(try services.createService(for: Clock.self, named: "fake").now())
    let mock = services.register(CartService.self, replacing: true) { MockCart() }
    print(try services.createService(for: CartService.self).kind)
    mock.cancel()
    services.register(CartService.self, named: "mock") { MockCart() }
    print("mock: \(services.contains(CartService.self, named: "mock"))")
    services.unregister(CartService.self, named: "mock")
    do {
      _ = try services.createService(for: CartService.self, named: "mock")
    } catch {
      let problem: ServiceError = error
      print("no mock: \("\(problem)".contains("mock"))")
    }
  }
}
