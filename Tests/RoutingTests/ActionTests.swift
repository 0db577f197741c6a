import Foundation
import Registry
import Routing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ActionTests {
  let problems = DiagnosticCollector()

  private func router() -> Router { Router(records: ExportedRouteTests.records, onDiagnostic: problems.handler) }

  private func error(_ body: () async throws -> Void) async -> RouteError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? RouteError
    }
  }

  @Test func `an exported action is performed by its names, with parameters of its type`() async throws {
    let router = router()
    #expect(
      try await router.perform("exported", "show", ["id": 7, "style": "long"]) as? String
        == "order 7 Optional(RoutingTests.ShowOrder.Style.long)")
    #expect(
      try await router.perform("exported", "show", ["id": "7", "more": [1, nil]], as: String.self) == "order 7 nil")
    #expect(try await router.perform("exported", "show", ["id": 7, "style": nil], as: String.self) == "order 7 nil")
    #expect(try await router.perform("exported", "refresh", as: Int.self) == 17)
    #expect(problems.diagnostics.isEmpty)
  }

  #if DEBUG
  @Test func `a value that resembles a parameter of the action is reported`() async throws {
    let router = router()
    #expect(
      try await router.perform("exported", "show", ["id": 7, "stile": "long", "more": 1]) as? String == "order 7 nil")
    #expect(problems.codes == [.unusedParameter])
    #expect(
      problems.diagnostics.first?.message == "'perform' passes 'stile' to the action 'exported.show', but it is not a"
        + " key of 'ShowOrder'; did you mean 'style'?")
    // The last character is missing, too.
    _ = try await router.perform("exported", "show", ["id": 7, "styl": "long"])
    #expect(problems.diagnostics.last?.message.hasSuffix("did you mean 'style'?") == true)
  }

  @Test(arguments: [(64, true), (65, false)])
  func `a long value is not compared with the parameters of the action`(length: Int, isCompared: Bool) async throws {
    struct Long: Codable, Sendable {
      enum CodingKeys: CodingKey, Codable {
        case id, long
        init?(stringValue: String) {
          if stringValue == "id" { self = .id } else if Set(stringValue) == ["x"] { self = .long } else { return nil }
        }
      }
      var id: Int
      var long: Int?
    }
    let router = router()
    router.registerAction("long", "take") { (_: Long) in }
    try await router.perform("long", "take", ["id": 7, "y" + String(repeating: "x", count: length - 1): 1])
    #expect(problems.codes == (isCompared ? [.unusedParameter] : []))
  }
  #endif

  @Test func `an action that is not exported is an error with the nearest name`() async throws {
    let router = router()
    let misspelled = await error { try await router.perform("exported", "shwo") }
    #expect(misspelled?.kind == .actionNotFound(module: nil, nearest: "exported.show"))
    #expect(misspelled?.target == "exported.shwo")
    let forged = await error { try await router.perform("a\nb", "c") }
    #expect(forged?.description.contains("'a\\u{a}b.c'") == true)
    let unknown = await error { try await router.perform("RoutingTests", "init") }
    #expect(unknown?.kind == .actionNotFound(module: nil, nearest: nil))
    #expect(unknown?.description.contains("export it with '#exportAction'") == true)
    await #expect(throws: RouteError.self) { try await router.perform("", "") }
  }

  @Test func `parameters of the wrong type are an error with their location`() async throws {
    let router = router()
    for (parameters, says) in [
      ([:], "missing value for 'id'"), (["id": 1.5], "expected 'Int', but found the number 1.5 (at 'id')"),
      (["id": ["x"]], "expected 'Int', but found an array with 1 element (at 'id')"),
      (["id": nil], "expected 'Int', but found null (at 'id')"),
      (["id": true], "expected 'Int', but found true (at 'id')"),
      (["id": "seven"], "expected 'Int', but found 'seven' (at 'id')"),
      (["id": 1, "style": "wide"], "style"),
    ] as [([String: PropertyValue], String)] {
      let error = await error { try await router.perform("exported", "show", parameters) }
      #expect(error?.kind == .badParameters(pattern: nil) && error?.target == "exported.show")
      #expect(error?.reason?.contains(says) == true, "\(error?.reason ?? "")")
    }
  }

  @Test func `dates and data of a property list keep their values`() async throws {
    struct Values: Codable, Sendable, Equatable {
      var date: Date
      var other: Date?
      var data: Data
      var any: [PropertyValue]
    }
    let router = Router()
    router.registerAction("values", "take") { (parameters: Values) in parameters }
    // The date has no exact text, and the bytes are not valid text.
    let (seconds, bytes) = (700_000_000.123456789.nextUp, (0...255).map { UInt8($0) })
    let any: [PropertyValue] = [.date(secondsSinceReferenceDate: seconds), .bytes(bytes)]
    let values = try await router.perform(
      "values", "take", ["date": any[0], "data": any[1], "any": .array(any)], as: Values.self)
    #expect(values.date.timeIntervalSinceReferenceDate == seconds && values.other == nil)
    #expect(values.data == Data(bytes) && values.any == any)
    let other = try await router.perform(
      "values", "take", ["date": "2001-01-01T00:00:07Z", "other": any[0], "data": [1, 2], "any": []], as: Values.self)
    #expect(other.date == Date(timeIntervalSinceReferenceDate: 7) && other.data == Data([1, 2]))
    #expect(other.other?.timeIntervalSinceReferenceDate == seconds)
    for (name, value, says) in [
      ("date", any[1], "expected 'Date' such as '2026-03-01T12:30:00Z', but found data of 256 bytes (at 'date')"),
      ("data", any[0], "expected a list, but found a date (at 'data')"),
      ("date", 7, "expected 'Date' such as '2026-03-01T12:30:00Z', but found the integer 7 (at 'date')"),
    ] as [(String, PropertyValue, String)] {
      var broken: [String: PropertyValue] = ["date": any[0], "data": any[1], "any": []]
      broken[name] = value
      let error = await error { try await router.perform("values", "take", broken) }
      #expect(error?.description.contains(says) == true, "\(String(describing: error))")
    }
  }

  @Test func `only remote actions are performed for remote requests, and the others look missing`()
    async throws
  {
    let router = router()
    #expect(try await router.perform("exported", "refresh", as: Int.self, from: .remote) == 17)
    let own = await error { try await router.perform("exported", "show", ["id": 1], from: .remote) }
    #expect(own?.kind == .actionNotFound(module: nil, nearest: nil) && own?.target == "exported.show")
    let unknown = await error { try await router.perform("exported", "nothing", from: .remote) }
    #expect(unknown?.description == own?.description.replacingOccurrences(of: "show", with: "nothing"))
    #expect(own?.description.contains("pass 'access: .remote' to '#exportAction'") == true)
    #expect(problems.diagnostics.map(\.code) == [.notRemote])
    #expect(problems.diagnostics.first?.subject == "exported.show")
    #expect(problems.diagnostics.first?.message.contains("cannot perform this action") == true)
  }

  @Test func `a caller can name a module, and parameters cannot`() async throws {
    let router = router()
    #expect(try await router.perform("exported", "refresh", as: Int.self, module: "RoutingTests") == 17)
    let other = await error { try await router.perform("exported", "refresh", module: "Other") }
    #expect(other?.kind == .actionNotFound(module: "Other", nearest: "exported.refresh in RoutingTests"))
    await #expect(throws: RouteError.self) { try await router.perform("exported", "refresh", module: "Routing") }
    await #expect(throws: RouteError.self) {
      try await router.perform("exported", "refresh", module: "Other", from: .remote)
    }
    await #expect(throws: RouteError.self) {
      try await router.perform("exported", "show", module: "Other", from: .remote)
    }
    #expect(problems.diagnostics.isEmpty, "one action is remote, and the other module has none")
    // CTMediator reads the module from the parameters, under
    // `kCTMediatorParamsKeySwiftTargetModuleName`. Here, such parameters have no effect on the
    // lookup.
    #expect(
      try await router.perform("exported", "refresh", ["module": "Other", "target": "x", "action": "y"], as: Int.self)
        == 17)
  }

  @Test func `the module distinguishes actions with one name`() async throws {
    let router = router()
    router.registerAction("exported", "refresh", fileID: "Other/File.swift") { 18 }
    let ambiguous = await error { try await router.perform("exported", "refresh") }
    #expect(ambiguous?.code == "ambiguous-action" && ambiguous?.target == "exported.refresh")
    #expect(ambiguous?.description.contains("'exported.refresh'; pass one of 'Other', 'RoutingTests' as") == true)
    #expect(try await router.perform("exported", "refresh", as: Int.self, module: "Other") == 18)
    #expect(try await router.perform("exported", "refresh", as: Int.self, from: .remote) == 17)
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a token removes an action, and a reported duplicate then replaces it`() async throws {
    let router = Router(onDiagnostic: problems.handler)
    let first = router.registerAction("cart", "clear") { 1 }
    let second = router.registerAction("cart", "clear") { "2" }
    #expect(problems.diagnostics.map(\.code) == [.duplicate])
    let message = try #require(problems.diagnostics.first?.message)
    #expect(message.contains("the action 'cart.clear'") && !message.contains("with different types"))
    #expect(try await router.perform("cart", "clear") as? Int == 1)
    #expect(first.cancel() && !first.cancel())
    #expect(try await router.perform("cart", "clear") as? String == "2")
    #expect(second.cancel() && router.routes.isEmpty)
    await #expect(throws: RouteError.self) { try await router.perform("cart", "clear") }
  }

  @Test func `errors of an action are rethrown, and a result of another type is an error`() async throws {
    let router = Router()
    router.registerAction("cart", "break") { throw Broken(word: "action") }
    await #expect(throws: Broken.self) { try await router.perform("cart", "break") }
    router.registerAction("cart", "count") { 3 }
    let wrong = await error { _ = try await router.perform("cart", "count", as: String.self) }
    #expect(wrong?.kind == .wrongType(expected: "String", found: "Int") && wrong?.target == "cart.count")
  }

  @Test func `an action that declines is an error with its name, which declines no route`() async throws {
    let router = Router(onDiagnostic: problems.handler)
    router.registerAction("cart", "pay") { throw RouteError.declined("it is empty") }
    router.register(.ping) { [unowned router] in try await router.perform("cart", "pay", as: Bool.self) }
    let declined = await error { try await router.perform("cart", "pay") }
    #expect(declined?.code == "route-declined" && declined?.target == "cart.pay" && declined?.reason == "it is empty")
    let opened = await error { try await router.open(.ping) }
    #expect(opened?.target == "cart.pay")
  }
}
