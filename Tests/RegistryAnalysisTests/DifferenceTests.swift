import Foundation
import RegistryAnalysis
import Testing

@Suite struct DifferenceTests {
  typealias Snapshot = RegistrySnapshot

  /// An app with a module that needs a service of another one.
  static func shop(_ change: (inout Snapshot.Process) -> Void = { _ in }) -> Snapshot.Process {
    var process = Snapshot.Process(name: "Shop")
    process.images = [.init(name: "Shop", path: "Shop", records: 9)]
    for (index, feature) in ["Account", "Cart", "Checkout"].enumerated() {
      var module = Snapshot.Module(
        name: "\(feature).Main", feature: feature, level: "normal", priority: 0, activation: "atLaunch")
      module.position = index + 1
      module.location = "\(feature)/Main.swift:3:1"
      process.modules.append(module)
    }
    process.modules[2].after = ["Cart.Main"]
    func entry(_ kind: Snapshot.Kind, _ key: String, _ provider: String) -> Snapshot.Entry {
      .init(kind: kind, key: key, provider: provider, feature: "Cart", priority: 0, rank: 1)
    }
    process.entries = [
      entry(.service, "API.Cart", "Cart.Default"), entry(.service, "API.Clock", "Cart.Clock"),
      entry(.event, ".didLogIn", "Cart/Events.swift:9:1"), entry(.route, ".cart", "Cart/Route.swift:5:1"),
      entry(.action, ".pay", "Cart/Route.swift:7:1"), entry(.point, ".menu", "Cart/Menu.swift:7:1"),
    ]
    process.entries[3].access = .init(origin: "remote", patterns: ["cart/:id"])
    process.entries[3].type = "Cart.Parameters → ()"
    process.needs = [need(.service, "API.Cart", "Checkout/Pay.swift:1:1"), need(.point, ".menu", "Checkout.Screen")]
    change(&process)
    return process
  }

  static func need(_ kind: Snapshot.Kind, _ key: String, _ dependent: String) -> Snapshot.Need {
    var need = Snapshot.Need(kind: kind, key: key, isOptional: false, dependent: dependent, feature: "Checkout")
    need.providers = ["Cart"]
    return need
  }

  static func difference(_ old: [Snapshot.Process], _ new: [Snapshot.Process]) -> RegistryDifference {
    RegistryDifference(from: Snapshot(origin: .files, processes: old), to: Snapshot(origin: .files, processes: new))
  }

  /// A change of the app, and the lines of the text without the headings and the summary.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let lines: [String]
    let change: @Sendable (inout Snapshot.Process) -> Void

    init(_ description: String, _ lines: [String], _ change: @escaping @Sendable (inout Snapshot.Process) -> Void) {
      (testDescription, self.lines, self.change) = (description, lines, change)
    }
  }

  static let cases = [
    Case("nothing", []) { _ in },
    Case("moved lines", []) { process in
      process.entries[2].provider = "Cart/Events.swift:90:5"
      process.entries[3].provider = "Cart/Route.swift:50:1"
      process.modules[1].location = "Cart/Main.swift:30:1"
      process.needs[0].dependent = "Checkout/Pay.swift:10:1"
      process.needs[0].location = "Checkout/Pay.swift:10:1"
    },
    Case(
      "a module that another one follows",
      ["- breaking: Cart.Main: level normal; 'Checkout.Main' needs it (Cart/Main.swift:3:1)"]
    ) { $0.modules.remove(at: 1) },
    Case("a module that nothing needs", ["- Account.Main: level normal (Account/Main.swift:3:1)"]) {
      $0.modules.remove(at: 0)
    },
    Case("a new module", ["+ New.Main: level basic, priority 7"]) {
      $0.modules.append(.init(name: "New.Main", feature: "New", level: "basic", priority: 7, activation: "atLaunch"))
    },
    Case(
      "members of a module",
      [
        "~ Checkout.Main: level normal → basic, priority 0 → 3, activation atLaunch → onFirstEvent, after 'Cart.Main'"
          + " → none (Checkout/Main.swift:3:1)"
      ]
    ) {
      ($0.modules[2].level, $0.modules[2].priority, $0.modules[2].after) = ("basic", 3, [])
      $0.modules[2].activation = "onFirstEvent"
    },
    Case("the order", ["~ Checkout.Main: now first, was after 'Cart.Main' (Checkout/Main.swift:3:1)"]) {
      for (index, position) in [2, 3, 1].enumerated() { $0.modules[index].position = position }
    },
    Case(
      "the last implementation",
      ["- breaking: API.Cart: Cart.Default, the last implementation; 'Checkout/Pay.swift:1:1' needs it"]
    ) { process in
      process.entries.remove(at: 0)
      process.needs[0].providers = []
    },
    Case("an unneeded service", ["- breaking: API.Clock: Cart.Clock, the last implementation"]) {
      $0.entries.remove(at: 1)
    },
    Case(
      "another implementation",
      ["+ API.Cart: Promo.Cart, if debug", "~ API.Cart: selected implementation Cart.Default → Promo.Cart"]
    ) { process in
      var entry = process.entries[0]
      (entry.provider, entry.condition) = ("Promo.Cart", "debug")
      process.entries[0].isSelected = false
      process.entries.append(entry)
    },
    Case(
      "an implementation behind a flag",
      [
        "~ API.Cart: Cart.Default: condition none → beta",
        "~ breaking: API.Cart: selected implementation Cart.Default → none without a flag",
      ]
    ) { ($0.entries[0].condition, $0.entries[0].isSelected) = ("beta", false) },
    Case("a scope", ["~ API.Cart: Cart.Default: priority 0 → 2, scope none → shared"]) {
      ($0.entries[0].priority, $0.entries[0].scope) = (2, "shared")
    },
    Case("a replacement", ["~ API.Cart: Cart.Default: replaces none → Old.Cart"]) {
      $0.entries[0].replaces = "Old.Cart"
    },
    Case("a key of a contribution", ["- .menu: Cart/Menu.swift:7:1", "+ .menu: Cart/Menu.swift:7:1, key \"b\""]) {
      $0.entries[5].name = "b"
    },
    Case("a handler of an event", ["- .didLogIn: Cart/Events.swift:9:1"]) { $0.entries.remove(at: 2) },
    Case("a route", ["- breaking: .cart: Cart/Route.swift:5:1"]) { $0.entries.remove(at: 3) },
    Case("an action", ["- breaking: .pay: Cart/Route.swift:7:1"]) { $0.entries.remove(at: 4) },
    Case(
      "an action that moved to another Swift module", ["- .pay: Cart/Route.swift:7:1", "+ .pay: Pay/Route.swift:2:1"]
    ) {
      ($0.entries[4].feature, $0.entries[4].provider) = ("Pay", "Pay/Route.swift:2:1")
    },
    Case("a needed contribution", ["- breaking: .menu: Cart/Menu.swift:7:1; 'Checkout.Screen' needs it"]) {
      $0.entries.remove(at: 5)
    },
    Case(
      "a contribution whose point the need spells differently if nothing satisfies it",
      [
        "- breaking: .menu: Cart/Menu.swift:7:1; 'Checkout.Screen' needs it", "- .menu: Checkout.Screen",
        "+ .rows: Checkout.Screen; nothing provides it",
      ]
    ) {
      $0.entries.remove(at: 5)
      ($0.needs[1].key, $0.needs[1].providers) = (".rows", [])
    },
    Case("a contribution", ["- .menu: Cart/Menu.swift:7:1", "- .menu: Checkout.Screen"]) {
      $0.entries.remove(at: 5)
      $0.needs.remove(at: 1)
    },
    Case("code on another line", []) { process in
      process.entries[2].provider = "Cart/Events.swift:12:1"
      process.needs[0].dependent = "Checkout/Pay.swift:4:3"
    },
    Case("two equal handlers", ["+ .didLogIn: P.Q"]) { process in
      var entry = process.entries[2]
      entry.provider = "P.Q"
      process.entries += [entry, entry]
    },
    Case("a type", ["~ breaking: .cart: type now 'Cart.Other → ()', was 'Cart.Parameters → ()'"]) {
      $0.entries[3].type = "Cart.Other → ()"
    },
    Case("an unknown type", []) { $0.entries[3].type = nil },
    Case("a pattern", ["- breaking: .cart: pattern cart/:id", "+ .cart: pattern basket/:id"]) {
      $0.entries[3].access?.patterns = ["basket/:id"]
    },
    Case("a route for the app alone", ["~ breaking: .cart: access remote → local"]) {
      $0.entries[3].access?.origin = "local"
    },
    Case("an unused handler with another pattern", ["+ .cart: P.Q"]) { process in
      var entry = process.entries[3]
      (entry.provider, entry.isSelected) = ("P.Q", false)
      entry.access?.patterns = ["q"]
      process.entries.append(entry)
    },
    Case(
      "needs",
      [
        "+ API.Missing: Checkout.Screen; nothing provides it", "+ .menu: Checkout.Other, optional",
        "~ API.Cart: Checkout/Pay.swift:1:1: now optional",
      ]
    ) { process in
      process.needs[0].isOptional = true
      process.needs += [need(.service, "API.Missing", "Checkout.Screen"), need(.point, ".menu", "Checkout.Other")]
      process.needs[2].providers = []
      process.needs[3].isOptional = true
    },
    Case(
      "the providers of optional needs",
      [
        "- .menu: Cart/Menu.swift:7:1", "~ API.Cart: Checkout/Pay.swift:1:1: now optional",
        "~ .menu: Checkout.Screen: now optional",
      ]
    ) { process in
      process.entries.remove(at: 5)
      for index in 0...1 { (process.needs[index].isOptional, process.needs[index].providers) = (true, []) }
    },
    Case(
      "a provider that another group has",
      ["~ breaking: API.Cart: Checkout/Pay.swift:1:1: nothing provides it; 'Cart' did"]
    ) { $0.needs[0].providers = [] },
    Case("an image", ["+ libNew.so: 3 records"]) { $0.images.append(.init(name: "libNew.so", path: "p", records: 3)) },
    Case("an image that is gone", ["- Shop: 9 records"]) { $0.images = [] },
    Case("the name of the only executable", []) { ($0.name, $0.architecture) = ("Other", "arm64") },
  ]

  @Test(arguments: cases) func `each change is a row`(_ test: Case) {
    let difference = Self.difference([Self.shop()], [Self.shop(test.change)])
    let lines = difference.text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
    #expect(lines == test.lines)
    #expect(difference.breakingCount == test.lines.count { $0.contains("breaking: ") })
  }

  @Test func `callers name the Swift module of an action that several modules export`() {
    let old = Self.shop { process in
      process.entries[4].access = .init(origin: "local", patterns: [])
      process.entries.append(process.entries[4])
      (process.entries[6].feature, process.entries[6].provider) = ("Pay", "Pay/Route.swift:2:1")
      process.entries[6].access?.origin = "remote"
    }
    func lines(_ change: (inout Snapshot.Process) -> Void) -> [String] {
      var new = old
      change(&new)
      return Self.difference([old], [new]).rows.map { "\($0.details), breaking: \($0.breaking)" }
    }
    #expect(lines { $0.entries.remove(at: 4) } == ["Cart/Route.swift:7:1, breaking: true"])
    #expect(lines { $0.entries[6].access?.origin = "local" } == ["access remote → local, breaking: true"])
  }

  @Test func `a need that was optional is now required`() {
    let old = Self.shop { $0.needs[0].isOptional = true }
    #expect(Self.difference([old], [Self.shop()]).rows.map(\.details) == ["Checkout/Pay.swift:1:1: now required"])
  }

  @Test func `handlers that move to each other's lines are no change`() {
    func process(_ shift: Int) -> Snapshot.Process {
      Self.shop { process in
        for (line, priority, condition) in [(9, 5, nil), (12, 0, nil), (15, 0, "debug")] {
          var entry = process.entries[2]
          (entry.provider, entry.priority, entry.condition) = ("Cart/E.swift:\(line + shift):1", priority, condition)
          process.entries.append(entry)
        }
      }
    }
    #expect(Self.difference([process(0)], [process(3)]).rows == [])
  }

  @Test func `an implementation with a name is that of another service`() {
    let old = Self.shop { process in
      process.entries.append(process.entries[0])
      (process.entries[6].name, process.entries[6].provider) = ("gold", "Cart.Gold")
      process.needs.append(Self.need(.service, "API.Cart", "Checkout.Gold"))
      process.needs[2].name = "gold"
    }
    var new = old
    new.entries.remove(at: 6)
    new.needs[2].providers = []
    let rows = Self.difference([old], [new]).rows
    #expect(rows.map(\.subject) == ["API.Cart named \"gold\""] && rows.map(\.breaking) == [true])
    #expect(rows.map(\.details) == ["Cart.Gold, the last implementation; 'Checkout.Gold' needs it"])
  }

  @Test func `a need that nothing satisfied before is not another spelling of a need that is gone`() {
    let old = Self.shop { process in
      process.needs.append(Self.need(.point, ".rows", "Checkout.Screen"))
      process.needs[2].providers = []
    }
    var new = old
    new.entries.remove(at: 5)
    new.needs.remove(at: 1)
    #expect(Self.difference([old], [new]).breakingCount == 0)
  }

  @Test func `only modules that moved are rows`() {
    let names = (0..<2_000).map { "M\($0).Main" }
    func process(_ names: [String]) -> Snapshot.Process {
      Self.shop { process in
        process = .init(name: "Shop")
        process.modules = names.enumerated().map { index, name in
          var module = Snapshot.Module(name: name, feature: name, level: "normal", priority: 0, activation: "atLaunch")
          module.position = index + 1
          return module
        }
      }
    }
    // One moves to the end and one is new, so almost every position changes.
    let moved = ["New.Main"] + names.dropFirst() + names.prefix(1)
    let rows = Self.difference([process(names)], [process(moved)]).rows
    #expect(rows.map(\.subject) == ["New.Main", "M0.Main"] && rows.map(\.kind) == [.module, .order])
    #expect(rows.last?.details == "now after 'M1999.Main', was first")
    // The fewest rows for the reverse order keep one module.
    #expect(Self.difference([process(names)], [process(names.reversed())]).rows.count == 1_999)
  }

  @Test func `processes with one name match by their images`() {
    let (shop, other) = (
      Self.shop(),
      Self.shop {
        $0.images.append(.init(name: "libGifts.so", path: "libGifts.so", records: 1))
        $0.entries.removeLast()
      }
    )
    #expect(Self.difference([shop, other], [other, shop]).rows.isEmpty)
  }

  @Test func `a group's process with another name matches by its images`() {
    func group(_ name: String, _ image: String = "libGifts.so") -> Snapshot.Process {
      Self.shop { process in
        (process.name, process.group) = (name, "gifts")
        process.images = [.init(name: image, path: image, records: 9)]
      }
    }
    // Earlier versions named the process after the library.
    #expect(Self.difference([Self.shop(), group("libGifts.so")], [Self.shop(), group("Shop")]).rows.isEmpty)
    let old = [group("libGifts.so"), group("libA.so", "libA.so")]
    let others = Self.difference(old, [group("Shop", "libOther.so"), group("libA.so", "libA.so")])
    #expect(others.rows.map(\.change) == [.removed, .added])
    // An app with another name is another app.
    func app(_ name: String) -> Snapshot.Process { Self.shop { $0.name = name } }
    #expect(Self.difference([app("A"), app("B")], [app("A"), app("C")]).rows.map(\.subject) == ["B", "C"])
  }

  @Test func `the only process of an architecture and group matches whatever its name`() {
    func processes(_ images: String...) -> [Snapshot.Process] {
      [("arm64", nil), ("x86_64", nil), ("arm64", "gifts")].map { architecture, group in
        Self.shop { process in
          (process.name, process.architecture, process.group) = (images[0], architecture, group)
          process.images = images.map { .init(name: $0, path: $0, records: 9) }
        }
      }
    }
    // Without an executable, the process has the name of the first library.
    let added = Self.difference(processes("libCart.so"), processes("libAccount.so", "libCart.so"))
    #expect(added.rows.map(\.kind) == [.image] && added.breakingCount == 0)
    // Another executable of both snapshots got the group.
    func apps(_ owner: String) -> [Snapshot.Process] {
      [("A", nil), ("B", nil), (owner, "gifts")].map { name, group in
        Self.shop { process in
          (process.name, process.group) = (name, group)
          process.images = [.init(name: name, path: name, records: 9)]
        }
      }
    }
    #expect(Self.difference(apps("A"), apps("B")).rows.map(\.change) == [.removed, .added])
  }

  @Test func `a type that needs a service twice is named once`() {
    let old = Self.shop { $0.needs.append($0.needs[0]) }
    var new = old
    new.entries.removeFirst()
    let details = "Cart.Default, the last implementation; 'Checkout/Pay.swift:1:1' needs it"
    #expect(Self.difference([old], [new]).rows.map(\.details) == [details])
  }

  @Test func `a removed module is one row that names all that need it`() {
    let old = Self.shop { $0.needs.append(Self.need(.module, "Cart.Main", "Checkout.Screen")) }
    var new = old
    new.modules.remove(at: 1)
    new.needs[2].providers = []
    let details = "level normal; 'Checkout.Screen' and 'Checkout.Main' need it"
    #expect(Self.difference([old], [new]).rows.map(\.details) == [details])
  }

  @Test func `equal rows of one process are those of that process`() {
    func process(_ architecture: String, _ copies: Int) -> Snapshot.Process {
      Self.shop { process in
        var entry = process.entries[2]
        entry.provider = "P.Q"
        process.entries += Array(repeating: entry, count: copies)
        process.architecture = architecture
      }
    }
    let old = [process("arm64", 0), process("x86_64", 0)]
    let rows = Self.difference(old, [process("arm64", 2), process("x86_64", 0)]).rows
    #expect(rows.map(\.processes) == [["Shop (arm64)"]])
  }

  @Test func `processes match by name, and equal rows are one`() {
    func process(_ architecture: String, _ change: (inout Snapshot.Process) -> Void = { _ in }) -> Snapshot.Process {
      var process = Self.shop(change)
      process.architecture = architecture
      return process
    }
    let old = [process("arm64"), process("x86_64"), process("gone")]
    let new = [
      process("x86_64") { $0.entries.removeLast(3) }, process("arm64") { $0.entries.removeLast() },
      process("new") { $0.entries.removeLast(5) },
    ]
    let difference = Self.difference(old, new)
    #expect(
      difference.text == """
        process
          - breaking: Shop (gone): 3 modules, 6 other registrations
          + Shop (new): 3 modules, 1 other registration
        route
          - breaking: .cart: Cart/Route.swift:5:1 [Shop (x86_64)]
        action
          - breaking: .pay: Cart/Route.swift:7:1 [Shop (x86_64)]
        contribution
          - breaking: .menu: Cart/Menu.swift:7:1; 'Checkout.Screen' needs it
        1 added, 4 removed, 0 changed; 4 breaking

        """)
  }

  @Test func `a registration by code has no column`() {
    func process(_ location: String) -> Snapshot.Process {
      Self.shop { ($0.entries[0].provider, $0.entries[0].location) = (location, location) }
    }
    let old = process("Cart/Setup.swift:9")
    #expect(Self.difference([old], [process("Cart/Setup.swift:12")]).rows == [])
    #expect(Self.difference([old], [process("Cart/Other.swift:9")]).rows != [])
  }

  @Test func `patterns that files do not contain are no change`() {
    let files = Self.shop { $0.entries[3].access = nil }
    #expect(Self.difference([files], [Self.shop()]).rows == [])
    #expect(Self.difference([Self.shop()], [files]).rows == [])
    let plain = Self.shop { $0.entries[3].access = .init(origin: "local", patterns: []) }
    let difference = Self.difference([plain], [Self.shop()])
    #expect(difference.rows.map(\.details) == ["access local → remote", "pattern cart/:id"])
    #expect(difference.breakingCount == 0)
    #expect(Self.difference([], []).text == "no differences\n")
    // Two modules with one name are a problem, but they are no reason to stop.
    let repeated = Self.shop { $0.modules += $0.modules }
    #expect(Self.difference([repeated], [Self.shop()]).rows == [])
  }

  @Test func `JSON has a version and the rows`() throws {
    let difference = Self.difference([Self.shop()], [Self.shop { $0.entries.remove(at: 3) }])
    let json = try JSONSerialization.jsonObject(with: difference.json()) as? [String: Any]
    #expect(json?["version"] as? Int == 1 && json?["breaking"] as? Int == 1)
    let row = (json?["changes"] as? [[String: Any]])?.first
    #expect(row?["change"] as? String == "removed" && row?["kind"] as? String == "route")
    #expect(row?["breaking"] as? Bool == true && row?["subject"] as? String == ".cart")
    #expect(row?["details"] as? String == "Cart/Route.swift:5:1")
  }

  @Test func `Markdown shows names as they are, and collapses long tables`() {
    let hostile = "A|B`</code><script>@all #1 [x](y)\n\u{202E}*_"
    func process(_ count: Int) -> Snapshot.Process {
      Self.shop { process in
        for number in 0..<count {
          var entry = process.entries[2]
          (entry.key, entry.provider) = ("\(number)\(hostile)", "P.Q")
          process.entries.append(entry)
        }
      }
    }
    let short = Self.difference([process(0)], [process(1)]).markdown
    #expect(
      short == """
        **Registrations:** 1 added, 0 removed, 0 changed; none breaking

        | | Kind | Subject | Details |
        |-|-|-|-|
        | added | event handler | <code>0A&#124;B&#96;&#60;/code&#62;&#60;script&#62;&#64;all &#35;1 &#91;x&#93;(y)\
        &#92;u&#123;a&#125;&#92;u&#123;202e&#125;&#42;&#95;</code> | <code>P.Q</code> |

        """)
    let long = Self.difference([process(21)], [process(0)]).markdown
    #expect(long.contains("<details><summary>21 other changes</summary>\n\n| ") && long.hasSuffix("\n</details>\n"))
    // GitHub refuses comments with more than 65,536 characters.
    let longest = Self.difference([process(2_000)], [process(0)]).markdown
    let shown = longest.components(separatedBy: "\n| removed ").count - 1
    #expect(longest.utf8.count < 61_000 && longest.contains("\n| | | | and \(2_000 - shown) more |\n"))
    let routes = Self.shop { process in
      for number in 0..<21 {
        process.entries.append(process.entries[3])
        process.entries[6 + number].key = ".r\(number)"
      }
    }
    // Breaking changes are never collapsed.
    let breaking = Self.difference([routes], [Self.shop()])
    #expect(breaking.breakingCount == 21 && !breaking.markdown.contains("<details>"))
  }
}
