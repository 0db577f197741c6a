import Foundation
import Registry
import Routing
import TestSupport

// The routes that the tests open.

struct OrderLink: Codable, Sendable, Equatable {
  var id: Int
  var tab: String?
  var tags: [String]?
}

struct Word: Codable, Sendable, Equatable {
  var word: String
}

extension Route where Parameters == OrderLink, Outcome == String {
  static var order: Self {
    .init(
      "test.order", [#pattern("shop://order/:id(Int)"), #pattern("https://shop.example/orders/:id(Int).html")],
      access: .remote)
  }
}

extension Route where Parameters == Word, Outcome == String {
  static var secret: Self { .init("test.secret", [#pattern("shop://secret/:word")]) }
  static var public_: Self { .init("test.public", [#pattern("shop://public/:word")], access: .remote) }
}

extension Route where Parameters == Void, Outcome == String {
  static var home: Self { .init("test.home", [#pattern("shop://home")]) }
  static var login: Self { .init("test.login") }
}

extension Route where Parameters == Void, Outcome == Void {
  static var ping: Self { .init("test.ping", [#pattern("shop://ping")]) }
}

func url(_ text: String) -> URL { URL(string: text)! }
