import Lifecycle
import Registry
import ServiceLifecycle

struct Mail: Sendable {}
protocol MailSender: Sendable {
  func send(_ mail: Mail) async throws
}

extension Event where Payload == Mail, Outcome == Void {
  static var orderWasPlaced: Self { .init("shop.orderWasPlaced") }
  static var mailWasSent: Self { .init("shop.mailWasSent") }
}

struct OrderServer: ServiceLifecycle.Service {
  func run() async throws {}
}

func settings() throws -> ContextValues { ContextValues() }
