public import Lifecycle
public import Routing

public protocol Greeter: Sendable {
  func greeting(for name: String) -> String
}

public protocol CartService: Sendable {
  nonisolated var kind: String { get }
}

public protocol Clock {
  func now() -> String
}

@MainActor public protocol Screen: AnyObject, Sendable {
  var title: String { get }
}

public struct User: Sendable {
  public let name: String
  public init(name: String) { self.name = name }
}

public struct OrderLink: Codable, Sendable {
  public let id: Int
  public init(id: Int) { self.id = id }
}

extension Event where Payload == String, Outcome == Void {
  public static var visitorCame: Self { .init("hello.visitorCame") }
}

extension Event where Payload == String, Outcome == Bool {
  public static var openLink: Self { .init("links.open", combining: .any) }
}

extension Event where Payload == User, Outcome == Void {
  public static var userDidLogIn: Self { .init("account.userDidLogIn") }
}

extension Route where Parameters == OrderLink, Outcome == any Screen {
  public static var orderDetail: Self {
    .init("shop.orderDetail", [#pattern("shop://order/:id(Int)")], access: .remote)
  }
}

extension Route where Parameters == Void, Outcome == [String] {
  public static var orderList: Self { .init("shop.orderList") }
}
