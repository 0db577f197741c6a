import Lifecycle
import Registry
import ServiceLifecycle

struct OrderServer: ServiceLifecycle.Service {
  func run() async throws {}
}
