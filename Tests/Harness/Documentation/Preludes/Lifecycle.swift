import AppHost
import Foundation
import Lifecycle

protocol PaymentService: Sendable {}

@MainActor func showPage(_ link: String) -> Bool { true }
func fetch(_ notification: RemoteNotification) async throws -> BackgroundFetchResult { .noData }
func upload(_ user: User) async throws {}

struct Log {
  func info(_ text: String) {}
  func warning(_ text: String) {}
}
let log = Log()
let file = URL(fileURLWithPath: "trace.json")
