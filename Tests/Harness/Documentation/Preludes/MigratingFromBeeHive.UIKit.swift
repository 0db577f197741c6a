import Lifecycle

protocol Cart: Sendable { func add(_ item: String) async -> Int }
struct Customer: Sendable { var name: String }
extension Event where Payload == Customer, Outcome == Void {
  static var customerDidLogIn: Self { .init("account.customerDidLogIn") }
}
