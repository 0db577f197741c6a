import Lifecycle

struct User: Sendable { let name: String }
struct Broken: Error {}

extension Event where Payload == User, Outcome == Void {
  static var userDidLogIn: Self { .init("test.userDidLogIn") }
}
extension Event where Payload == Void, Outcome == Void {
  static var ping: Self { .init("test.ping") }
}
