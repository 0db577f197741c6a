import Foundation
import RegistryAnalysis
import Testing

@Suite struct RulesTests {
  typealias Snapshot = RegistrySnapshot

  /// Features with all kinds of uses: Checkout needs Cart, Promo replaces its service and follows its
  /// module, Menu contributes to a point of Cart, and Audit handles its event.
  static func shop() -> Snapshot {
    var process = Snapshot.Process(name: "Shop")
    for feature in ["Cart", "Promo"] {
      var module = Snapshot.Module(
        name: "\(feature).Main", feature: feature, level: "normal", priority: 0, activation: "atLaunch")
      module.location = "\(feature)/Main.swift:2:1"
      process.modules.append(module)
    }
    process.modules[1].after = ["Cart.Main"]
    func entry(_ kind: Snapshot.Kind, _ key: String, _ provider: String, _ location: String) -> Snapshot.Entry {
      let feature = String(provider.prefix { $0 != "." })
      var entry = Snapshot.Entry(kind: kind, key: key, provider: provider, feature: feature, priority: 0, rank: 1)
      entry.location = location
      return entry
    }
    process.entries = [
      entry(.service, "API.Cart", "Cart.Default", "Cart/Default.swift:3:1"),
      entry(.service, "API.Cart", "Promo.Better", "Promo/Better.swift:4:1"),
      entry(.point, "Cart.rows", "Menu.Row", "Menu/Row.swift:5:1"),
      entry(.event, "Cart.didPay", "Audit.Log", "Audit/Log.swift:6:1"),
      // The names of these state no Swift module.
      entry(.event, ".didLogIn", "Audit.Log", "Audit/Log.swift:7:1"),
      entry(.point, "ContributionPoint<Cart.Row>(\"rows\")", "Menu.Row", "Menu/Row.swift:6:1"),
    ]
    process.entries[1].replaces = "Cart.Default"
    var need = Snapshot.Need(
      kind: .service, key: "API.Cart", isOptional: false, dependent: "Checkout.Screen", feature: "Checkout")
    (need.location, need.providers) = ("Checkout/Screen.swift:9:3", ["Cart"])
    process.needs = [need]
    return Snapshot(origin: .files, processes: [process])
  }

  static func rules(_ members: String) throws -> RegistryRules {
    try RegistryRules(json: Data("{\"version\": 1, \(members)}".utf8))
  }

  static let needsCart =
    "Checkout.Screen (Checkout/Screen.swift:9:3): 'Checkout' needs 'API.Cart' of 'Cart' (Cart/Default.swift:3:1), but "
  static let exception = "; remove the use, or add an exception with its reason [forbidden-use]"

  static let violations: [(String, [String])] = [
    (#""parts": {}"#, []),
    (#""forbid": [{"from": "Cart", "to": "*"}]"#, []),
    (
      #""forbid": [{"from": "Check*", "to": "Cart", "reason": "Cart is old"}]"#,
      [needsCart + "forbid[0] forbids it (Cart is old)" + exception]
    ),
    (#""forbid": [{"from": "Checkout", "to": "Cart", "uses": ["replace", "contribute", "handle", "follow"]}]"#, []),
    // A Swift module may use its own part.
    (#""parts": {"shop": ["C*t"]}, "forbid": [{"from": "shop", "to": "shop"}]"#, []),
    (
      #""forbid": [{"from": ["Promo", "Menu", "Audit"], "to": "Cart"}]"#,
      [
        "Promo.Better (Promo/Better.swift:4:1): 'Promo' replaces 'Cart.Default' of 'Cart' (Cart/Default.swift:3:1), but"
          + " forbid[0] forbids it" + exception,
        "Menu.Row (Menu/Row.swift:5:1): 'Menu' contributes to 'Cart.rows' of 'Cart', but forbid[0] forbids it"
          + exception,
        "Audit.Log (Audit/Log.swift:6:1): 'Audit' handles 'Cart.didPay' of 'Cart', but forbid[0] forbids it"
          + exception,
        "Promo.Main (Promo/Main.swift:2:1): 'Promo' follows 'Cart.Main' of 'Cart' (Cart/Main.swift:2:1), but forbid[0]"
          + " forbids it" + exception,
      ]
    ),
    (#""layers": ["Checkout", ["Promo", "Menu", "Audit"], "Cart", "API"]"#, []),
    (
      #""layers": ["API", "Cart", "Checkout"]"#,
      [
        "Checkout.Screen (Checkout/Screen.swift:9:3): 'Checkout' needs 'API.Cart' of 'API', but the layer of 'API',"
          + " layers[0], is not below that of 'Checkout', layers[2]" + exception,
        needsCart + "the layer of 'Cart', layers[1], is not below that of 'Checkout', layers[2]" + exception,
      ]
    ),
    // Parts in one layer may not use each other.
    (
      #""parts": {"low": "Cart"}, "layers": [["Checkout", "low"]]"#,
      [needsCart + "the layer of 'Cart', layers[0], is not below that of 'Checkout', layers[0]" + exception]
    ),
    (#""allow": [{"from": "Checkout", "to": ["API", "Cart"]}]"#, []),
    (
      #""allow": [{"from": "Checkout", "to": "API"}, {"from": "Checkout", "to": "Cart", "uses": "follow"}]"#,
      [
        needsCart + "no entry of 'allow' permits it; remove the use, or add {\"from\": \"Checkout\", \"to\": \"Cart\","
          + " \"uses\": \"need\"} to 'allow' [forbidden-use]"
      ]
    ),
    (
      #""forbid": [{"from": "Checkout", "to": "Cart"}], "exceptions": [{"from": "Checkout", "to": "Cart", "reason": "r"}]"#,
      []
    ),
    (
      #""parts": {"a": ["C*"], "b": "C*t*"}"#,
      [
        "Cart: this Swift module is in the parts 'a' and 'b'; remove it from one of them [malformed-rules]",
        "Checkout: this Swift module is in the parts 'a' and 'b'; remove it from one of them [malformed-rules]",
      ]
    ),
    (
      #""parts": {"Cart": "Menu"}, "forbid": [{"from": "*", "to": "Cart"}]"#,
      [
        "Cart: this Swift module has the name of a part that does not contain it, so no rule can select it; rename the"
          + " part [malformed-rules]"
      ]
    ),
    (#""parts": {"Cart": ["Cart", "Menu"]}"#, []),
    (
      #""layers": ["C*", "Cart"]"#,
      [
        "Cart: this Swift module is in layers[0] and layers[1]; remove it from one of them [malformed-rules]"
      ]
    ),
    (#""acyclic": true"#, []),
    (
      #""acyclic": true, "parts": {"a": ["Cart", "Checkout"], "b": ["API", "Promo"]}"#,
      [
        "a (Checkout/Screen.swift:9:3): 'a' and 'b' use each other, but 'acyclic' forbids cycles: 'Checkout' needs"
          + " 'API.Cart' of 'API' at 'Checkout/Screen.swift:9:3', 'Promo' replaces 'Cart.Default' of 'Cart'"
          + " (Cart/Default.swift:3:1) at 'Promo/Better.swift:4:1'; remove one of the uses, or add an exception with its"
          + " reason [forbidden-cycle]"
      ]
    ),
    (
      #""acyclic": true, "parts": {"a": ["Cart", "Checkout"], "b": ["API", "Promo"]}, "#
        + #""exceptions": [{"from": "a", "to": "b", "uses": "need", "reason": "moves in May"}]"#,
      []
    ),
  ]

  @Test(arguments: violations) func `each violation has both places, the rule, and the fix`(
    _ members: String, _ messages: [String]
  ) throws {
    #expect(try Self.rules(members).violations(in: Self.shop()) == messages)
  }

  private static let reason =
    "; rules check a name that begins with the Swift module, such as 'Cart.rows'"
  static let skippedHandlers =
    "the rules skip the handlers in 'Audit' for '.didLogIn', because no record states which Swift module declares these"
    + " events" + reason
  static let skippedContributions =
    "the rules skip the contributions of 'Menu' for 'ContributionPoint<Cart.Row>(\"rows\")', because no record states"
    + " which Swift module declares these points" + reason

  static let notes: [(String, [String])] = [
    (#""parts": {"a": "Carts"}"#, ["part 'a' names 'Carts', but no Swift module has the name; did you mean 'Cart'?"]),
    (
      #""parts": {"a": []}, "layers": ["a", []]"#,
      ["part 'a' names no Swift module; remove it", "layers[1] names no Swift module; remove it"]
    ),
    (
      #""forbid": [{"from": "*", "to": [], "uses": "need"}]"#,
      ["'to' of forbid[0] names no Swift module; remove the entry"]
    ),
    (#""layers": ["Nope*"]"#, ["layers[0] names 'Nope*', but no Swift module has the name"]),
    (
      #""allow": [{"from": "Audit", "to": ["Cart", "Menus"]}]"#,
      ["allow[0] names 'Menus', but no Swift module has the name; did you mean 'Menu'?", skippedHandlers]
    ),
    (
      #""exceptions": [{"from": "Checkout", "to": "Cart", "reason": "r"}]"#,
      ["exceptions[0] permits nothing that the rules forbid; remove it"]
    ),
    (#""forbid": [{"from": ["Promo", "Checkout"], "to": "Menu"}]"#, []),
    (
      #""parts": {"shop": ["Promo", "Checkout"]}, "forbid": [{"from": "Promo", "to": "Checkout"}]"#,
      [
        "forbid[0] forbids only uses within the part 'shop', which are free; take one of the Swift modules out of the part"
      ]
    ),
    (
      #""parts": {"shop": ["Promo", "Checkout"]}, "layers": ["Promo", "Checkout"]"#,
      [
        "'layers' forbids only uses within the part 'shop', which are free; take one of the Swift modules out of the part"
      ]
    ),
    (#""forbid": [{"from": "*", "to": "Menu", "uses": ["need", "replace", "follow"]}]"#, []),
    (#""forbid": [{"from": "*", "to": "Menu", "uses": "handle"}]"#, [skippedHandlers]),
    (#""layers": ["Menu", "Cart"]"#, [skippedContributions]),
    (#""acyclic": true"#, [skippedContributions, skippedHandlers]),
    (#""allow": [{"from": "Audit", "to": "Cart"}]"#, [skippedHandlers]),
    // An exception can permit what only the cycle forbids.
    (
      #""acyclic": true, "parts": {"a": ["Cart", "Checkout"], "b": ["API", "Promo"]}, "#
        + #""exceptions": [{"from": "a", "to": "b", "uses": "need", "reason": "moves in May"}]"#,
      [skippedContributions, skippedHandlers]
    ),
  ]

  @Test(arguments: notes) func `rules without an effect are notes`(_ members: String, _ messages: [String]) throws {
    let rules = try Self.rules(members)
    #expect(rules.problems(in: Self.shop()).map(\.message) == messages)
    #expect(rules.violations(in: Self.shop()).isEmpty)
  }

  @Test func `a point of a Swift module that registers in another process is known`() throws {
    var shop = Self.shop()
    shop.processes.append(Snapshot.Process(name: "Shop"))
    shop.processes[1].group = "document"
    shop.processes[1].entries = [shop.processes[0].entries.remove(at: 2)]
    let rules = try Self.rules(#""forbid": [{"from": "*", "to": "Cart", "uses": "contribute"}]"#)
    let violations = rules.problems(in: shop).filter { $0.severity == "error" }
    #expect(violations.map(\.subject) == ["Menu.Row"])
    #expect(rules.problems(in: shop).map(\.message).last == Self.skippedContributions)
  }

  @Test func `each violation names the path of the image`() throws {
    var shop = Self.shop()
    shop.processes[0].images = [.init(name: "libShop.so", path: "build/libShop.so", records: 9)]
    for index in shop.processes[0].entries.indices { shop.processes[0].entries[index].image = "libShop.so" }
    shop.processes[0].needs[0].image = "libShop.so"
    shop.processes[0].modules[1].image = "libShop.so"
    let rules = try Self.rules(#""forbid": [{"from": "*", "to": ["Cart", "API"]}]"#)
    let errors = rules.problems(in: shop).filter { $0.severity == "error" }
    #expect(errors.count == 6 && errors.allSatisfy { $0.image == "build/libShop.so" }, "\(errors)")
  }

  @Test func `a use in several processes is one violation`() throws {
    var shop = Self.shop()
    shop.processes.append(shop.processes[0])
    let rules = try Self.rules(#""forbid": [{"from": "Checkout", "to": "Cart"}]"#)
    #expect(rules.violations(in: shop).count == 1)
  }

  @Test func `rules for a process that registers nothing are violated`() throws {
    let rules = try Self.rules(#""forbid": [{"from": "Checkout", "to": "Cart"}]"#)
    let nothing = Snapshot(origin: .process, processes: [Snapshot.Process(name: "Tests")])
    #expect(
      rules.violations(in: nothing) == [
        "nothing is registered, so no rule was checked; create the manager with 'records: .loadedImages', or pass files"
          + " with records [unused-rule]"
      ])
  }

  static let malformed: [(String, String)] = [
    ("", "line 1: expected an object, but found the end"), ("[]", "line 1: expected an object"),
    (#"{"version": 2}"#, "line 1: the rules have version 2, but this version reads version 1"),
    (#"{"version": "1"}"#, "line 1: 'version' must be an integer"),
    ("{}", "line 1: missing member 'version'"),
    (#"{"version": 1, "layer": []}"#, "line 1: unknown member 'layer'; did you mean 'layers'?"),
    ("{\"version\": 1,\n\n\"acyclic\": 1}", "line 3: expected"),
    (#"{"version": 1, "allow": [{"fro": "a"}]}"#, "line 1: unknown member 'fro'; did you mean 'from'?"),
    (#"{"version": 1, "allow": [{"from": "a"}]}"#, "line 1: missing member 'from' or 'to'"),
    (
      #"{"version": 1, "allow": [{"from": [], "to": "a"}]}"#,
      "line 1: missing member 'from' or 'to', or 'from' is empty"
    ),
    (
      #"{"version": 1, "forbid": [{"from": "a", "to": "b", "uses": "needs"}]}"#,
      "line 1: unknown use 'needs'; the uses are 'need', 'replace', 'contribute', 'handle', and 'follow'; did you mean"
    ),
    (
      #"{"version": 1, "forbid": [{"from": "a", "to": "b", "uses": []}]}"#,
      "line 1: 'uses' is empty; leave it out to select all uses"
    ),
    (#"{"version": 1, "parts": {"a*": "b"}}"#, "line 1: the name of the part 'a*' is a pattern; rename it"),
    (
      #"{"version": 1, "exceptions": [{"from": "a", "to": "b", "reason": ""}]}"#,
      "line 1: an exception requires a 'reason'"
    ),
    (#"{"version": 1, "parts": {"a": [], "a": []}}"#, "line 1: duplicate key 'a'"),
  ]

  @Test(arguments: malformed) func `malformed rules are errors`(_ json: String, _ message: String) {
    let error = #expect(throws: (any Error).self) { try RegistryRules(json: Data(json.utf8)) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.hasPrefix("malformed rules: \(message)") && text.hasSuffix(" [malformed-rules]"), "\(text)")
  }

  @Test func `damaged rules never crash`() throws {
    for text in ["[", "{\"version\": 1, \"parts\": {\"a\":", "{\"version\": 1, \"layers\": [["] {
      let json = Data((text + String(repeating: text, count: 10_000)).utf8)
      #expect(throws: (any Error).self) { try RegistryRules(json: json) }
    }
    let json = Data(
      #"{"version": 1, "parts": {"a": ["B*"]}, "layers": ["a"], "allow": [{"from": "a", "to": "b", "uses": ["need"]}]}"#
        .utf8)
    for index in json.indices {
      _ = try? RegistryRules(json: json.prefix(index))
      for byte in [0, 0x22, 0x5d, 0x7b, 0xff] as [UInt8] {
        var damaged = json
        damaged[index] = byte
        try? RegistryRules(json: damaged).violations(in: Self.shop()).forEach { _ in }
      }
    }
  }

  @Test func `written rules permit what a snapshot has and nothing else`() throws {
    var shop = Self.shop()
    let written = RegistryRules(permitting: shop)
    let json = String(decoding: try written.json(), as: UTF8.self)
    let read = try RegistryRules(json: Data(json.utf8))
    #expect(read.problems(in: shop).map(\.message) == [Self.skippedContributions, Self.skippedHandlers])
    #expect(json.contains("\"acyclic\": true"), "\(json)")
    #expect(json.contains("{\"from\":[\"Promo\"],\"to\":[\"Cart\"],\"uses\":[\"replace\",\"follow\"]}"), "\(json)")
    #expect(read.layers == [["Audit", "Checkout", "Menu", "Promo"], ["API", "Cart"]])

    var need = shop.processes[0].needs[0]
    (need.feature, need.dependent, need.location) = ("New", "New.Screen", "New/Screen.swift:1:1")
    shop.processes[0].needs.append(need)
    #expect(read.violations(in: shop).count == 2)

    // With a cycle, there are no layers.
    (need.feature, need.providers) = ("Cart", ["Checkout"])
    shop.processes[0].needs = [need] + Self.shop().processes[0].needs
    let cyclic = try RegistryRules(json: RegistryRules(permitting: shop).json())
    #expect(cyclic.violations(in: shop) == [] && cyclic.layers == [])
  }

  @Test func `each cycle, each entry, and each exception counts`() throws {
    var process = Snapshot.Process(name: "P")
    for (from, to) in [("A", "B"), ("B", "A"), ("C", "D"), ("D", "C")] {
      var need = Snapshot.Need(kind: .service, key: "P", isOptional: false, dependent: "\(from).S", feature: from)
      need.providers = [to]
      process.needs.append(need)
    }
    let snapshot = Snapshot(origin: .files, processes: [process])
    #expect(try Self.rules(#""acyclic": true"#).violations(in: snapshot).map { $0.prefix(2) } == ["A:", "C:"])
    let forbid = #""forbid": [{"from": "C", "to": "D"}, {"from": "A", "to": "B"}]"#
    let found = try Self.rules(forbid).violations(in: snapshot)
    #expect(found.map { $0.prefix(4) } == ["A.S:", "C.S:"])
    #expect(found.first?.contains("but forbid[1] forbids it") == true)
    let exceptions = ["B", "C"].map { #"{"from": "A", "to": "\#($0)", "reason": "r"}"# }.joined(separator: ",")
    let rules = try Self.rules(forbid + ", \"exceptions\": [\(exceptions)]")
    #expect(rules.violations(in: snapshot).map { $0.prefix(4) } == ["C.S:"])
    #expect(rules.problems(in: snapshot).contains { $0.message.hasPrefix("exceptions[1] permits nothing") })
  }

  @Test func `names in a suggested entry are valid JSON in one line`() throws {
    var process = Snapshot.Process(name: "P")
    var need = Snapshot.Need(kind: .service, key: "P", isOptional: true, dependent: "x", feature: "X")
    need.providers = ["a\"\n::error::b\u{200B}"]
    process.needs = [need]
    let rules = try Self.rules(#""allow": [{"from": "X", "to": "X"}]"#)
    let message = rules.violations(in: Snapshot(origin: .files, processes: [process])).joined()
    #expect(message.contains(#"add {"from": "X", "to": "a\"\n::error::b\u200b", "uses": "need"}"#), "\(message)")
    #expect(!message.contains("\n"))
  }

  @Test func `many Swift modules are checked in reasonable time`() throws {
    var process = Snapshot.Process(name: "Large")
    for number in 0..<2_000 {
      for step in 1...5 where number >= step {
        var need = Snapshot.Need(
          kind: .service, key: "API.P\(number - step)", isOptional: false, dependent: "F\(number).Screen",
          feature: "F\(number)")
        need.providers = ["F\(number - step)"]
        process.needs.append(need)
      }
    }
    let snapshot = Snapshot(origin: .files, processes: [process])
    let rules = try RegistryRules(json: RegistryRules(permitting: snapshot).json())
    #expect(rules.layers.count == 2_000)
    #expect(rules.violations(in: snapshot).isEmpty)
    let exceptions = (0..<2_000).map { #"{"from": "F\#($0)", "to": "F\#($0 / 2)", "reason": "r"}"# }
    let many = try Self.rules("\"exceptions\": [\(exceptions.joined(separator: ","))]")
    #expect(many.violations(in: snapshot).isEmpty)
    // A ring of all modules is one cycle.
    process.needs[0].providers = ["F1999"]
    let ring = Snapshot(origin: .files, processes: [process])
    #expect(try Self.rules(#""acyclic": true"#).violations(in: ring).count == 1)
  }

  @Test(arguments: [("a*b*c", "abbc", true), ("a*b*c", "acb", false), ("é*", "éa", true), ("a", "ab", false)])
  func `a star stands for any characters`(_ pattern: String, _ name: String, _ matches: Bool) throws {
    var process = Snapshot.Process(name: "P")
    let need = Snapshot.Need(kind: .service, key: "\(name).P", isOptional: true, dependent: "x", feature: "X")
    process.needs = [need]
    let rules = try Self.rules("\"forbid\": [{\"from\": \"X\", \"to\": \"\(pattern)\"}]")
    #expect(rules.violations(in: Snapshot(origin: .files, processes: [process])).isEmpty != matches)
  }
}
