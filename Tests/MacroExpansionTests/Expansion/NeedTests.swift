import Testing

@testable import MacroExpansion

@Suite struct NeedTests {
  private func expand(
    _ role: String, _ attribute: String = "@Service", on declaration: String,
    in contexts: [String] = ["final class CartScreen"]
  ) -> (source: String?, diagnostics: [PluginMessage.Diagnostic]) {
    var request = request("Service", attribute, on: declaration, in: contexts, line: 7)
    request.role = role
    return expansion(request)
  }

  private func accessor(_ property: String, _ attribute: String = "@Service") -> String? {
    expand("accessor", attribute, on: "\(attribute) \(property)").source
  }

  private func record(_ property: String, _ attribute: String = "@Service") -> String? {
    json(expand("peer", attribute, on: "\(attribute) \(property)").source)
  }

  private func problems(
    _ declaration: String, _ attribute: String = "@Service", in contexts: [String] = ["final class CartScreen"]
  ) -> [String] {
    expand("accessor", attribute, on: declaration, in: contexts).diagnostics.map(\.message)
  }

  @Test func `A property looks its service up, and a record states the need`() {
    #expect(
      accessor("var cart: any CartService")
        == #"get { Registry::__injected("Cart.CartScreen", "Cart/Cart.swift:7:3") }"#)
    #expect(
      record("var cart: any CartService")
        == #"{"protocol":"CartService","property":true,"dependent":"Cart.CartScreen","at":"Cart/Cart.swift:7:3"}"#)
    let peer = expand("peer", on: "@Service var cart: any CartService").source
    #expect(peer?.contains("private static let __need_cart: (") == true)
    #expect(peer?.contains("0x6e656564") == true)
    #expect(peer?.contains("let __service = Registry::__needed((any CartService).self)") == true)
  }

  @Test(arguments: [
    "(any Promotion)?", "Optional<any Promotion>", "((any Promotion))?", "(any   Promotion) ?",
    "Swift.Optional<any Promotion>", "Swift::Optional<Promotion>",
  ])
  func `An optional property has an optional need`(_ type: String) {
    #expect(accessor("var promotion: \(type)")?.contains("__injectedIfPresent(") == true)
    #expect(record("private var promotion: \(type)")?.hasPrefix(#"{"protocol":"Promotion","optional":true,"#) == true)
  }

  @Test func `A name is part of the lookup and of the record`() {
    #expect(accessor("var a: any A", #"@Service(named: "gift")"#)?.contains(#"(named: "gift", "Cart."#) == true)
    #expect(
      record("var a: any A", #"@Service(named: "gift")"#)?.hasPrefix(#"{"protocol":"A","name":"gift","prop"#) == true)
    #expect(accessor("var a: any A", "@Service(named: nil)")?.contains("named") == false)
  }

  @Test func `An array contains all implementations, of which none is needed`() {
    #expect(accessor("var plugIns: [any PlugIn]")?.contains("__injectedAll(") == true)
    let attributes = #"{"protocol":"PlugIn","all":true,"optional":true,"#
    #expect(record("var plugIns: [any PlugIn]")?.hasPrefix(attributes) == true)
    for attribute in [#"@Service(named: "x")"#, "@Service(cached: true)"] {
      #expect(problems("\(attribute) var a: [any A]", attribute)[0].hasPrefix("'a' contains all implementations"))
    }
  }

  @Test func `A cached service has storage in the type`() {
    #expect(
      accessor("var a: any A", "@Service(cached: true)")?.hasPrefix("get { __cached_a.value { Registry::") == true)
    #expect(
      accessor("var a: (any A)?", "@Service(cached: true)")?.hasPrefix("get { __cached_a.valueIfPresent {") == true)
    let peer = expand("peer", "@Service(cached: true)", on: "@Service(cached: true) var a: any A").source
    #expect(peer?.hasPrefix("private let __cached_a = Registry::__ServiceCache<any A>()\n") == true)
  }

  @Test(arguments: [
    (#"\CartScreen.services"#, ".services"), (#"\Cart.CartScreen.services"#, ".services"),
    (#"\Cart::CartScreen.services"#, ".services"), (#"\Self.cart!.services"#, ".cart!.services"),
    (#"\ CartScreen . cart.services"#, ".cart.services"), (#"\CartScreen.[0].services"#, "[0].services"),
  ])
  func `A property can look its service up in a manager of the instance`(_ path: String, _ members: String) {
    let attribute = "@Service(in: \(path))"
    #expect(
      accessor("var cart: any CartService", attribute)
        == #"get { Registry::__injected(in: self\#(members), "Cart.CartScreen", "Cart/Cart.swift:7:3") }"#)
    #expect(
      record("var cart: any CartService", attribute)
        == #"{"protocol":"CartService","own":true,"dependent":"Cart.CartScreen","at":"Cart/Cart.swift:7:3"}"#)
    #expect(
      accessor("var cart: (any CartService)?", #"@Service(in: \#(path), named: "x")"#)?.contains(
        #"__injectedIfPresent(in: self\#(members), named: "x", "Cart"#) == true)
  }

  @Test func `The key path begins at the type that has the property`() {
    let message =
      #"'in' must be a key path from the type that has the property, such as '\CartScreen.services' [not-a-literal]"#
    for path in [#"\.services"#, #"\Other.services"#, #"\CartScreen"#, ".shared", "services", "path"] {
      let attribute = "@Service(in: \(path))"
      #expect(problems("\(attribute) var cart: any CartService", attribute) == [message], "\(path)")
    }
    let nested = expand(
      "accessor", #"@Service(in: \Inner.services)"#, on: #"@Service(in: \Inner.services) var cart: any CartService"#,
      in: ["struct Inner", "enum Outer"])
    #expect(nested.source?.contains("in: self.services, ") == true)
    #expect(
      problems(#"@Service(in: \CartScreen.services) static var a: any A"#, #"@Service(in: \CartScreen.services)"#) == [
        "'in' reads the manager from an instance, but 'a' is static; remove 'static', or remove 'in' to use"
          + " 'ServiceManager.shared' [invalid-property]"
      ])
  }

  @Test func `The service is the type of the property`() {
    for argument in ["(any A).self", #""gift""#] {
      #expect(
        problems("@Service(\(argument)) var a: any A", "@Service(\(argument))") == [
          "'@Service' looks up the type of the property; remove this argument, or write 'named:' before the name of an"
            + " implementation [invalid-property]"
        ])
    }
    for (type, addition) in [("any A", ", and write the type as '(any A)?'"), ("(any A)?", "")] {
      #expect(
        problems("@Service(optional: true) var a: \(type)", "@Service(optional: true)") == [
          "the type of 'a' states whether the service is optional; remove 'optional:'\(addition) [invalid-property]"
        ])
    }
    #expect(
      problems("@Service var a: (any A)!") == [
        "'@Service' looks 'a' up at each use, so '!' has no effect; remove it, or write '?' if the service can be missing"
          + " [invalid-property]"
      ])
  }

  @Test(arguments: [
    ("var `default`: any A", "__need_default"), ("var größe: any A", "__need_größe"),
    ("@available(macOS 99, *) var a: any A", "__need_a"), ("var `the cart`: any A", "`__need_the cart`"),
  ])
  func `Every name of a property gives a name of a record`(_ property: String, _ name: String) {
    #expect(expand("peer", on: "@Service \(property)").source?.contains("let \(name): (") == true)
  }

  @Test func `A property that needs a newer system has no need on older ones`() {
    let property = "@available(macOS 99, *) @Service var a: any A"
    let guarded = "{ @Sendable __out, __type, _ in\nguard #available(macOS 99, *) else { return false }\n"
    #expect(expand("peer", on: property).source?.contains(guarded) == true)
    let nested = expand("peer", on: property, in: ["@available(macOS 98, *) final class CartScreen"]).source
    #expect(nested?.contains("@available(macOS 99, *)\nprivate static let") == true)
    #expect(nested?.contains("guard") == false)
    let absent = expand("peer", on: "@available(tvOS, unavailable) @Service var a: any A").source
    #expect(absent?.hasPrefix("#if !(os(tvOS))\n") == true, "\(absent ?? "")")
  }

  @Test func `A place counts from the declaration, although another attribute precedes the macro's`() {
    var request = request(
      "Service", "@Service", on: "@MainActor @Service var a: any A", in: ["final class CartScreen"], line: 7)
    request.role = "peer"
    let first = expansion(request).source?.split(separator: "\n").filter { $0.hasPrefix("#sourceLocation(file:") }
    request.syntax.location?.offset += 11
    request.syntax.location?.line = 8
    let second = expansion(request).source?.split(separator: "\n").filter { $0.hasPrefix("#sourceLocation(file:") }
    #expect(first?.isEmpty == false && first == second)
  }

  @Test func `Types of all forms are passed on`() {
    for (type, service) in [
      ("any A & B", "A & B"), ("any Box<Int>", "Box<Int>"), ("Clock", "Clock"), ("ShopAPI.Clock", "ShopAPI.Clock"),
      ("(any A)", "A"),
    ] {
      #expect(record("var a: \(type)")?.hasPrefix("{\"protocol\":\"\(service)\",") == true, "\(type)")
    }
  }

  @Test(arguments: ["static", "class"])
  func `A static property has a record beside that of another property with its name`(_ modifier: String) {
    let source = expand("peer", on: "@Service \(modifier) var cart: any A").source
    #expect(source?.contains("private static let __needstatic_cart: (") == true)
  }

  @Test(arguments: ["lazy", "weak", "unowned"])
  func `A modifier of storage is an error`(_ modifier: String) {
    #expect(problems("@Service \(modifier) var a: A")[0].contains("so '\(modifier)' has no effect; remove it"))
  }

  @Test func `The storage that an observation adds has no second error`() {
    #expect(problems("@ObservationIgnored @Service private var _a: any A", in: []).isEmpty)
  }

  @Test func `A property that cannot be looked up is an error`() {
    #expect(problems("var cart: some A")[0].contains("write 'any' instead of 'some'"))
    #expect(problems("var cart: [some A]")[0].contains("write 'any' instead of 'some'"))
    for type in [
      "[any A]?", "[String: any A]", "(any A, any B)", "(A, B)?", "() -> Void", "((A) -> B)?", "[]", "[[A]]",
      "[(A, B)]", "[(any A)?]", "[Optional<any A>]",
    ] {
      #expect(problems("var cart: \(type)").first?.contains("'cart' cannot be a dictionary") == true)
    }
    for type in [
      "any A", "[any A]", "[any A & B]", "[M::A]", "[A<[Int: Int]>]", "(any A)?", "(any A & B)?",
      "any A<[Int], (Int, Int), () -> Void>", "Optional<A>", "My.Optional<A>",
    ] {
      #expect(problems("var cart: \(type)").isEmpty)
    }
    #expect(problems("let cart: any A")[0].hasPrefix("'@Service' requires a variable"))
    #expect(problems("func f()")[0].contains("can only be applied to a property"))
    #expect(problems("var cart")[0].contains("a property with a written type"))
    #expect(problems("var cart: any A = B()")[0].contains("cannot have a value"))
    #expect(problems("var cart: any A { B() }")[0].contains("cannot have a value"))
    #expect(problems("var cart: any A, b: any B")[0].contains("a declaration of its own"))
    #expect(problems("var cart: any A", in: []) == problems("var cart: any A", in: ["func f()"]))
    #expect(problems("var cart: any A", in: [])[0].contains("[local-declaration]"))
    #expect(problems("var cart: any A", in: ["struct S<T>"])[0].contains("'cart' in the generic type"))
    #expect(problems("var cart: any A", in: ["protocol P"])[0].contains("[declared-in-protocol]"))
  }

  @Test(arguments: ["enum E", "extension E"])
  func `A cached property needs a type that can store it`(_ context: String) {
    let source = "@Service(cached: true)"
    #expect(problems("\(source) var a: any A", source, in: [context])[0].contains("cannot have stored properties"))
    let shared = problems("\(source) static var a: any A", source, in: [context])
    #expect(shared.count == 1 && shared[0].contains("a test would keep its service for all others"))
  }

  @Test func `A property of an observable type must be ignored by the observation`() {
    let observable = ["@Observable final class Model"]
    #expect(problems("@Service var a: any A", in: observable)[0].contains("'@Service @ObservationIgnored var a'"))
    #expect(problems("@ObservationIgnored @Service var a: any A", in: observable).count == 1)
    #expect(problems("@Service @ObservationIgnored var a: any A", in: observable).isEmpty)
    #expect(problems("@Service static var a: any A", in: observable).isEmpty)
  }

  @Test func `Only one of the two roles reports a problem`() {
    let peer = expand("peer", on: "@Service let a: any A")
    #expect(peer.source == "" && peer.diagnostics.isEmpty)
    let accessor = expand("accessor", on: "@Service let a: any A")
    #expect(accessor.source == nil && accessor.diagnostics.count == 1)
  }

  @Test func `A property of contributions needs a point and no value`() {
    func messages(_ attribute: String, _ property: String) -> [String] {
      var request = request("Contributions", attribute, on: "\(attribute) \(property)", in: ["final class Kitchen"])
      request.role = "accessor"
      return expansion(request).diagnostics.map(\.message)
    }
    let usage = "write '@Contributions(.menu) var dishes: [Dish]'"
    for attribute in ["@Contributions", "@Contributions()"] {
      #expect(
        messages(attribute, "var a: [Dish]") == ["'@Contributions' requires a point; \(usage) [missing-argument]"])
    }
    #expect(
      messages(#"@Contributions("menu")"#, "var a: [Dish]") == [
        "'@Contributions' requires a point instead of its identifier; \(usage), and declare the point in"
          + " 'extension ContributionPoint<[Dish]>' [missing-argument]"
      ])
    #expect(messages("@Contributions(.menu)", "var a: [Dish] = []")[0].contains("cannot have a value"))
  }

  // MARK: - Needs without a property

  @Test func `A type can be in any number of parentheses`() {
    let (open, close) = (String(repeating: "(", count: 20_000), String(repeating: ")", count: 20_000))
    #expect(record("var a: \(open)any A\(close)")?.hasPrefix(#"{"protocol":"A","#) == true)
  }

  @Test func `A macro states several needs`() {
    let (source, diagnostics) = expansion(request("Needs", "#needs(A.self, (any B<Int>).self)"))
    #expect(diagnostics.isEmpty)
    #expect(source?.contains("let __record: (") == true && source?.contains("let __record1: (") == true)
    #expect(withoutLocations(source)?.contains("let __service = Registry::__needed(A.self)") == true)
    #expect(withoutLocations(source)?.contains("let __service = Registry::__needed((any B<Int>).self)") == true)
    #expect(json(source) == #"{"protocol":"B<Int>","at":"Cart/Cart.swift:12:1"}"#)
    let inType = expansion(request("Needs", "#needs(A.self, B.self)", in: ["struct Screen"])).source
    #expect(inType?.contains("8RegistryfMu_: (") == true && inType?.contains("9Registry1fMu_: (") == true)
    #expect(json(inType) == #"{"protocol":"B","dependent":"Cart.Screen","at":"Cart/Cart.swift:12:1"}"#)
    let options = expansion(request("Needs", #"#needs(A.self, B.self, named: "x", optional: true, group: "g")"#)).source
    #expect(
      json(options) == #"{"protocol":"B","name":"x","optional":true,"group":"g","at":"Cart/Cart.swift:12:1"}"#)
  }

  @Test(arguments: [
    (
      #"A.self, named: "gift""#, #""protocol":"A","name":"gift""#,
      "let __service = Registry::__needed(A.self)"
    ),
    (
      "A.self, optional: true", #""protocol":"A","optional":true"#,
      "let __service = Registry::__needed(A.self)"
    ),
    (
      "route: .orderDetail", #""route":".orderDetail""#,
      "Routing::__provideNeededRoute(__out, __type) { Routing::__problem(of: .orderDetail, in: $0) }"
    ),
    (
      "module: AccountModule.self", #""module":"AccountModule","type":true"#,
      "Lifecycle::__provideNeededModule(__out, __type, AccountModule.self)"
    ),
    (
      #"module: "Account.AccountModule", optional: true"#, #""module":"Account.AccountModule","optional":true"#, "false"
    ),
  ])
  func `Each kind of need becomes a record`(_ arguments: String, _ members: String, _ accessor: String) {
    let (source, diagnostics) = expansion(request("Needs", "#needs(\(arguments))"))
    #expect(diagnostics.isEmpty)
    #expect(json(source) == "{\(members),\"at\":\"Cart/Cart.swift:12:1\"}")
    #expect(withoutLocations(source)?.contains("\(accessor)\n") == true)
  }

  @Test(arguments: [
    ("", "'#needs' requires a service"), ("A", "must be written as 'P.self'"),
    ("module: name", "or a type such as 'T.self'"), (#"module: "\(x)""#, "without interpolation"),
    ("A.self, optional: x", "written as 'true' or 'false'"),
    ("A.self, color: 1", "does not support the argument 'color'"), ("(any A)?.self", "and add 'optional: true'"),
  ])
  func `An invalid need is an error`(_ arguments: String, _ message: String) {
    let (source, diagnostics) = expansion(request("Needs", "#needs(\(arguments))"))
    #expect(source == nil && diagnostics.count == 1 && diagnostics[0].message.contains(message))
  }

  @Test func `A module can follow what its feature needs`() {
    let source = expansion(
      request("ExportModule", "@ExportModule(afterNeeds: true)", on: "final class CartModule: Module {}")
    ).source
    #expect(json(source) == #"{"module":"Cart.CartModule","afterNeeds":true}"#)
  }
}
