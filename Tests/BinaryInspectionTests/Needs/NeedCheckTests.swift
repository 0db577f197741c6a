import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

@MainActor @Suite struct NeedCheckTests {
  private static func need(_ target: String, _ more: String = "", in dependent: String = "Shop.CartScreen")
    -> TestRecord
  {
    .need(#"{"protocol":"\#(target)"\#(more),"dependent":"\#(dependent)","at":"Shop/CartScreen.swift:12:3"}"#)
  }

  private static func service(_ target: String, _ type: String = "Cart.DefaultCart", _ more: String = "") -> TestRecord
  {
    .service(#"{"protocol":"\#(target)","class":"\#(type)"\#(more)}"#, accessor: true)
  }

  private func problems(_ objects: SimulatedObject..., registered: [String] = []) -> [String] {
    SimulatedObject.inspection(objects).check(for: .problem, registered: registered).map(\.description)
  }

  private func remarks(_ objects: SimulatedObject..., registered: [String] = []) -> [String] {
    SimulatedObject.inspection(objects).check(for: .note, registered: registered).map(\.description)
  }

  private static let cart = service("CartService")

  @Test func `needs that records satisfy are no problem`() {
    #expect(
      problems(
        .with([
          Self.need("CartService"), Self.need("CartService", #","name":"gift""#),
          Self.cart, Self.service("CartService", "Cart.Gifts", #","name":"gift""#),
          .need(#"{"module":"AccountModule","type":true,"at":"Shop/A.swift:1:1"}"#),
          .module(#"{"module":"Account.AccountModule"}"#),
          .need(#"{"module":"Account.AccountModule"}"#, accessor: false),
          .need(#"{"route":".order","at":"Shop/A.swift:1:1"}"#),
          .need(#"{"route":"Route.detail","at":"Shop/A.swift:1:1"}"#),
          .route(#"{"route":"ShopAPI.Route.order","handler":"Orders/F.swift:1:1"}"#),
          .route(#"{"route":".detail","class":"Orders.Detail"}"#),
          Self.need("Prices & Stock"), Self.service("Stock & Prices", "Cart.Both"),
          Self.need("ShopAPI::Clock"), Self.service("ShopAPI.Clock", "Cart.Clock"),
        ])) == [])
  }

  @Test func `a need that no record satisfies is reported with its dependent, location, and the nearest name`() {
    let found = problems(
      .with(
        [
          Self.need("CartServices"), Self.need("CartService", #","name":"gift""#), Self.cart,
          .need(#"{"module":"AcountModule","at":"Shop/A.swift:1:1"}"#), .module(#"{"module":"Account.AccountModule"}"#),
          .need(#"{"module":"Other.Module"}"#, accessor: false),
          .need(#"{"route":".ordr","dependent":"Shop.S","at":"Shop/A.swift:2:1"}"#),
          .route(#"{"route":".order","handler":"Orders/F.swift:1:1"}"#),
          .need(#"{"route":".order"}"#, accessor: false),
        ], path: "App"))
    let fix = "link the target that exports it, or, if code registers it, pass '--registered"
    #expect(
      found == [
        "App: error: CartServices (Shop/CartScreen.swift:12:3): needed by 'Shop.CartScreen', but no file exports an"
          + " implementation; \(fix) CartServices'; did you mean 'CartService'? [unmet-need]",
        "App: error: CartService (Shop/CartScreen.swift:12:3): needed by 'Shop.CartScreen', but no file exports an"
          + " implementation named 'gift', only one without a name; \(fix) CartService' [unmet-need]",
        "App: error: AcountModule (Shop/A.swift:1:1): needed by code at the top level of a file, but no file exports a"
          + " module with this name; \(fix) AcountModule' [unmet-need]",
        "App: error: Other.Module: needed by C code, but no file exports a module with this name; \(fix) Other.Module'"
          + " [unmet-need]",
        "App: error: .ordr (Shop/A.swift:2:1): needed by 'Shop.S', but no file exports a handler of this route; \(fix)"
          + " .ordr'; did you mean '.order'? [unmet-need]",
        "App: error: .order: needed by C code, but its record cannot be read; rebuild the image with the current version"
          + " of the library [unmet-need]",
      ])
    let named = problems(
      .with([
        Self.need("P"), Self.service("P", "A.C", #","name":"x""#), Self.service("P", "A.D", #","name":"y""#),
      ]))
    #expect(named.count == 1 && named[0].contains("but no file exports an implementation, only 'x' and 'y'; link"))
  }

  @Test func `the problem of a need is in the JSON of a check`() {
    let inspection = SimulatedObject.inspection([.with([Self.need("Cart")], path: "App")])
    let start =
      #"{"severity":"error","code":"unmet-need","file":"App","subject":"Cart","location":"Shop/CartScreen.swift:12:3","#
    #expect(inspection.report(inspection.check()).contains(start))
  }

  @Test func `an optional need that nothing satisfies is a note`() {
    let objects = SimulatedObject.with([Self.need("P", #","optional":true"#)], path: "App")
    #expect(problems(objects) == [])
    #expect(
      remarks(objects) == [
        "App: note: P (Shop/CartScreen.swift:12:3): 'Shop.CartScreen' can also work without it, and no file exports an"
          + " implementation [unmet-need]"
      ])
    #expect(remarks(.with([Self.need("CartService", #","optional":true"#), Self.cart])) == [])
    let inspection = SimulatedObject.inspection([objects])
    #expect(
      inspection.report(inspection.check()).contains(
        #""severity":"note","code":"unmet-need","file":"App","subject":"P","location":"Shop/CartScreen.swift:12:3""#))
  }

  @Test func `a missing executable is noted only if none is passed and all files are read`() {
    func count(_ objects: SimulatedObject..., unread: [InspectionProblem] = []) -> Int {
      let inspection = SimulatedObject.inspection(objects)
      return inspection.missingExecutable(inspection.check() + unread).count
    }
    let library = SimulatedObject.with([Self.need("P")], path: "libShop.so")
    #expect(count(library) == 1 && count(.with([Self.need("P")], path: "A.o", type: .object)) == 0)
    #expect(count(library, .with([], path: "App", type: .executable)) == 0)
    #expect(count(library, unread: [InspectionProblem(file: "App", code: .unreadableFile, text: "x")]) == 0)
  }

  @Test func `a need for all implementations is one for each name`() {
    let named = TestRecord.service(#"{"protocol":"CartService","class":"Cart.G","name":"gift"}"#)
    let all = Self.need("CartService", #","all":true,"optional":true"#)
    #expect(remarks(.with([all, named])) == [] && remarks(.with([all, named, Self.cart])) == [])
    #expect(remarks(.with([Self.need("CartService"), named, Self.cart])).count == 1)
  }

  @Test(arguments: ["CartService", "ShopAPI.CartService"]) func `a need for what code registers is satisfied`(
    _ name: String
  ) {
    let needs = SimulatedObject.with([Self.need("CartService"), Self.need("CartService", #","optional":true"#)])
    #expect(problems(needs).count == 1 && remarks(needs).count == 1)
    #expect(problems(needs, registered: ["P", name]) == [] && remarks(needs, registered: [name]) == [])
    #expect(problems(needs, registered: ["Service"]).count == 1)
    let others = SimulatedObject.with([
      .need(#"{"route":".order"}"#), .need(#"{"module":"A.M"}"#, accessor: false),
    ])
    #expect(problems(others).count == 2)
    #expect(problems(others, registered: ["order", "M"]) == [])
  }

  @Test func `an executable has its own records and those of the libraries that it links`() {
    let needs = Self.need("CartService")
    let app = SimulatedObject.with([needs], path: "App", type: .executable)
    let library = SimulatedObject.with([Self.cart], path: "libCart.so")
    #expect(problems(.with([needs], path: "App", type: .executable).linking(["libCart.so"]), library) == [])
    // A file of the library's debug symbols has its name.
    let linking = SimulatedObject.with([needs], path: "a/bin/App", type: .executable).linking(["libCart.so"])
    let symbols = SimulatedObject.with([], path: "a/debug/libCart.so", type: .other)
    #expect(problems(linking, symbols, .with([Self.cart], path: "a/lib/libCart.so")) == [])
    // Without a link, the library is not loaded when the app starts.
    #expect(
      problems(app, library) == [
        "App: error: CartService (Shop/CartScreen.swift:12:3): needed by 'Shop.CartScreen', but no file that its process"
          + " links exports an implementation; 'libCart.so' exports one; link the target that exports it, or, if code"
          + " registers it, pass '--registered CartService' [unmet-need]"
      ])
    // The records of an object or of another process are not in the app.
    #expect(problems(app, .with([Self.cart], path: "Cart.o", type: .object)).count == 1)
    #expect(problems(app, .with([Self.cart], path: "Tool", type: .executable)).count == 1)
    #expect(problems(app, .with([Self.cart], path: "x86_64", type: .executable, architecture: "x86_64")).count == 1)
    // An object is linked into an unknown image.
    #expect(problems(.with([needs], path: "Shop.o", type: .object), library) == [])
    // Without an executable, all images are together.
    #expect(problems(.with([needs], path: "libShop.so"), library) == [])
  }

  @Test func `a plug-in has the records of the app, its own, and those of its libraries`() {
    let needs = Self.need("CartService")
    let app = SimulatedObject.with([Self.cart], path: "App", type: .executable)
    let plugIn = SimulatedObject.with([needs], path: "Plug.bundle", type: .bundle)
    #expect(problems(app, plugIn) == [])
    let plain = SimulatedObject.with([], path: "App", type: .executable)
    #expect(problems(plain, .with([needs, Self.cart], path: "Plug.bundle", type: .bundle)) == [])
    let library = SimulatedObject.with([Self.cart], path: "libCart.so")
    #expect(problems(plain, .with([needs], path: "Plug", type: .bundle).linking(["libCart.so"]), library) == [])
    // Another plug-in may not be loaded.
    #expect(problems(plain, plugIn, .with([Self.cart], path: "Other.bundle", type: .bundle)).count == 1)
    // A library can belong to one of several processes.
    let tool = SimulatedObject.with([], path: "Tool", type: .executable)
    #expect(problems(app, tool, plugIn) == [])
    let shared = SimulatedObject.with([needs], path: "libShared.so")
    #expect(problems(.with([Self.cart], path: "App", type: .executable).linking(["libShared.so"]), tool, shared) == [])
    let linked = SimulatedObject.with([], path: "Tool", type: .executable).linking(["libShared.so"])
    #expect(problems(app, linked, shared).count == 1)
  }

  private func matches(
    _ need: TestRecord, _ service: TestRecord, _ protocols: [String],
    _ severity: InspectionProblem.Severity = .problem, conformances: [String: Set<String>] = [:]
  ) -> [InspectionProblem] {
    var known = DeclaredTypes()
    known.protocols = Set(protocols)
    known.conformances = conformances
    let images = SimulatedObject.inspection([.with([need, service])]).images
    let list = ProblemList()
    NeedCheck.check(LinkedImages(images), ServiceNames(known), list)
    return list.all.filter { $0.severity == severity && $0.code == .unmetNeed }
  }

  @Test func `the name of a needed protocol refers to the nearest declaration`() {
    func isMet(_ need: TestRecord, _ service: TestRecord, _ protocols: String...) -> Bool {
      matches(need, service, protocols).isEmpty
    }
    // The protocol of the need's module is another one than that of the implementation's module.
    #expect(!isMet(Self.need("P", in: "A.C"), Self.service("P", "B.C"), "A.P", "B.P"))
    #expect(isMet(Self.need("P", in: "A.C"), Self.service("A.P", "B.C"), "A.P", "B.P"))
    #expect(isMet(Self.need("P", in: "A.C"), Self.service("P", "A.D"), "A.P", "B.P"))
    #expect(!isMet(Self.need("P", in: "A.Outer.C"), Self.service("P", "A.D"), "A.P", "A.Outer.P"))
    let topLevel = TestRecord.need(#"{"protocol":"P","at":"A/F.swift:1:1"}"#)
    #expect(
      isMet(topLevel, Self.service("P", "A.D"), "A.P", "B.P")
        && !isMet(topLevel, Self.service("P", "B.D"), "A.P", "B.P"))
    // An imported protocol is the same with and without its module.
    #expect(
      isMet(Self.need("P"), Self.service("API.P"), "API.P") && isMet(Self.need("API.P"), Self.service("P"), "API.P"))
    // The imports decide which of several protocols the name refers to.
    #expect(isMet(Self.need("P"), Self.service("B.P"), "A.P", "B.P"))
    // Names that no file declares are compared as far as they are written.
    #expect(isMet(Self.need("P"), Self.service("API.P")) && isMet(Self.need("API.P"), Self.service("P")))
    #expect(!isMet(Self.need("A.P"), Self.service("B.P")) && !isMet(Self.need("P"), Self.service("OtherP")))
    // C records contain the full name.
    let c = TestRecord.need(#"{"protocol":"API.P"}"#, accessor: false)
    #expect(isMet(c, Self.service("P"), "API.P") && !isMet(c, Self.service("P", "B.C"), "API.P", "B.P"))
    let written = TestRecord.service(#"{"protocol":"API.P","class":"Cart.C"}"#)
    #expect(isMet(Self.need("P"), written, "API.P") && isMet(Self.need("P"), written))
  }

  @Test func `a name that no file declares can be a type alias`() {
    let end =
      "; no file declares the name, so it can be a type alias; replace the alias by its type, or pass the file that"
      + " declares the protocol"
    let cart = ["API.CartService"]
    #expect(matches(Self.need("Alias"), Self.cart, cart) == [])
    #expect(matches(Self.need("Alias"), Self.cart, cart, .note).map { $0.message.hasSuffix(end) } == [true])
    #expect(matches(Self.need("API.Q"), Self.cart, ["API.Q"]).map { $0.message.contains("alias") } == [false])
    // An alias in the export, if the class conforms to the needed protocol.
    let alias = Self.service("Alias")
    let conforms = ["Cart.DefaultCart": ["API.CartService"] as Set]
    #expect(matches(Self.need("CartService"), alias, cart).count == 1)
    #expect(matches(Self.need("CartService"), alias, cart, conformances: conforms) == [])
    #expect(
      matches(Self.need("CartService"), alias, cart, .note, conformances: conforms).map(\.message) == [
        "needed by 'Shop.CartScreen', but no file exports an implementation; 'Cart.DefaultCart' is exported as 'Alias',"
          + " which no file declares, so it can be a type alias; replace the alias by its type in '@ExportService'"
      ])
    let named = Self.service("Alias", "Cart.DefaultCart", #","name":"gift""#)
    #expect(matches(Self.need("CartService"), named, cart, conformances: conforms).count == 1)
  }

  @Test func `compositions and generic types are compared by the types that the files declare`() {
    let declared = ["API.Gen", "API.P", "API.Q", "Shop.Item"]
    for (need, service) in [
      ("P & Sendable", "P"), ("Sendable & API.P", "P"), ("P", "P & Swift.Sendable"), ("Q & P", "API.P & API.Q"),
      ("Gen<Swift.Int>", "Gen<Int>"), ("Gen<Item>", "API.Gen<Shop.Item>"), ("Gen<[Swift.Int]>", "Gen<[Int]>"),
    ] {
      #expect(matches(Self.need(need), Self.service(service), declared) == [], "\(need)")
      #expect(matches(Self.need(need), Self.service(service), declared, .note) == [], "\(need)")
    }
    // One protocol can refine the other, and arguments can be aliases.
    for (need, service) in [("P & Q", "P"), ("P", "P & AnyObject"), ("Gen<Count>", "Gen<Int>")] {
      #expect(matches(Self.need(need), Self.service(service), declared) == [], "\(need)")
      #expect(
        matches(Self.need(need), Self.service(service), declared, .note).map {
          $0.message.hasSuffix("can be the same type; spell it in '@ExportService' as the code that needs it does")
        } == [true], "\(need)")
    }
    for (need, service) in [
      ("P & Q", "Gen<Int>"), ("Gen<String>", "Gen<Int>"), ("Gen<Item>", "Gen<Int>"), ("Gen<Int>", "Gen"),
    ] {
      #expect(matches(Self.need(need), Self.service(service), declared).count == 1, "\(need)")
    }
    #expect(matches(Self.need("Q"), Self.service("API.P & API.Q"), []).count == 1)
  }

  @Test func `a need whose only implementation has a condition is a note`() {
    let test = Self.service("CartService", "Cart.Fake", #","when":"test""#)
    let release = Self.service("CartService", "Cart.Real", #","when":"release","build":"debug""#)
    #expect(problems(.with([Self.need("CartService"), test])) == [])
    #expect(
      remarks(.with([Self.need("CartService"), test], path: "App")) == [
        "App: note: CartService (Shop/CartScreen.swift:12:3): needed by 'Shop.CartScreen', but 'Cart.Fake' exists only"
          + " under the condition 'test'; export an implementation without a condition [unmet-need]"
      ])
    for services in [[test, Self.cart], [test, release]] {
      #expect(remarks(.with([Self.need("CartService")] + services)) == [])
    }
    #expect(remarks(.with([Self.need("CartService", #","optional":true"#), test])) == [])
  }

  @Test func `the name of a needed module in a string is complete`() {
    let need = TestRecord.need(#"{"module":"AccountModule","at":"Shop/A.swift:1:1"}"#)
    let found = problems(.with([need, .module(#"{"module":"Account.AccountModule"}"#)]))
    #expect(found.count == 1 && found[0].contains("; did you mean 'Account.AccountModule'?"))
  }

  @Test func `a needed module is found by its type, from the inside out`() {
    func isMet(_ module: String, in dependent: String, _ modules: String...) -> Bool {
      let need = TestRecord.need(
        #"{"module":"\#(module)","type":true,"dependent":"\#(dependent)","at":"A/F.swift:1:1"}"#)
      return problems(.with([need] + modules.map { .module("{\"module\":\"\($0)\"}", accessor: true) }, type: .library))
        .isEmpty
    }
    #expect(isMet("M", in: "A.C", "A.M", "B.M") && isMet("M", in: "A.C.D", "A.C.M") && isMet("M", in: "A.C", "B.M"))
    #expect(isMet("B.M", in: "A.C", "B.M") && !isMet("B.M", in: "A.C", "C.M") && !isMet("M", in: "A.C", "B.OtherM"))
    // The runtime's name of a module in an extension can be shorter than the recorded one.
    #expect(isMet("App.String.Inner", in: "A.C", "App.Swift.String.Inner"))
  }

  @Test func `a service that no need names is a note, if there are needs`() {
    let unused = Self.service("Q", "Cart.Old", #","at":"Cart/Old.swift:1:1""#)
    #expect(remarks(.with([Self.cart, unused])) == [])
    #expect(
      remarks(.with([Self.need("CartService"), Self.cart, unused], path: "App"), .with([unused], type: .object)) == [
        "App: note: Q (Cart/Old.swift:1:1): 'Cart.Old' (App, Cart/Old.swift:1:1) implements it, and no file states a need"
          + " for it; if code looks it up, state the need there with '@Service' or '#needs', so that the start and this"
          + " check find a missing implementation [unused-service]"
      ])
    // A need in another process, and an optional one, use the service as well.
    let tool = SimulatedObject.with([Self.need("Q", #","optional":true"#)], path: "Tool", type: .executable)
    #expect(remarks(.with([unused], path: "App", type: .executable), tool).filter { $0.contains("unused") } == [])
    // The need for an implementation with a name does not use the one without a name.
    let named = remarks(.with([Self.need("Q", #","name":"n""#), unused]))
    #expect(named.count == 1 && named[0].hasSuffix("[unused-service]"))
  }

  @Test func `a contribution to a point that no code reads is a note, if there are needs`() {
    func contribution(_ point: String, _ type: String = "") -> TestRecord {
      TestRecord(
        kind: 0x636f_6e74, json: #"{"point":"\#(point)"\#(type),"handler":"Cart/Menu.swift:3:1"}"#, hasAccessor: true)
    }
    let reads = Self.need("P", #","optional":true"#)
    let menu = TestRecord.need(#"{"point":".menu","dependent":"Shop.Menu","at":"Shop/Menu.swift:1:1"}"#)
    #expect(remarks(.with([contribution(".menu")])) == [])
    #expect(remarks(.with([menu, contribution(".menu"), contribution("ContributionPoint.menu")])) == [])
    // The identifier in a C record ends with the name of the property.
    #expect(remarks(.with([menu, contribution("shop.menu", #","type":"function""#)])) == [])
    #expect(problems(.with([menu])).isEmpty && !remarks(.with([reads])).isEmpty)
    let other = TestRecord(
      kind: 0x636f_6e74, json: #"{"point":".menus","handler":"Cart/Menu.swift:9:1"}"#, hasAccessor: true)
    #expect(
      remarks(.with([menu, contribution(".menus"), other], path: "App")) == [
        "App: note: .menus (Cart/Menu.swift:3:1): 'Cart/Menu.swift:3:1' (App) contributes to it, and no file states that"
          + " code reads it; if code reads the point, state that there with '@Contributions' or"
          + " '#needs(contributions:)'; did you mean '.menu'? [unused-contribution]"
      ])
  }

  @Test func `Swift modules that need each other are a note`() {
    let back = TestRecord.need(#"{"protocol":"Prices","dependent":"Cart.DefaultCart","at":"Cart/C.swift:1:1"}"#)
    let prices = Self.service("Prices", "Shop.Prices")
    #expect(
      remarks(.with([Self.need("CartService"), Self.cart, back, prices], path: "App")) == [
        "App: note: Cart: Swift modules need each other: 'Cart' → 'Shop' → 'Cart', because 'Cart' needs 'Prices', 'Shop'"
          + " needs 'CartService'; move an implementation, or the code that needs it, to another module [feature-cycle]"
      ])
    // A cycle begins with its first module, even if another need of an executable leads to it.
    let other = TestRecord.need(#"{"protocol":"Prices","dependent":"App.Main","at":"App/M.swift:1:1"}"#)
    let found = remarks(
      .with([other], path: "App", type: .executable),
      .with([Self.need("CartService"), Self.cart, back, prices], path: "Lib"))
    #expect(found.map { $0.prefix { $0 != "→" } } == ["App: note: Cart: Swift modules need each other: 'Cart' "])
    // A need in its own module, and a need in one direction, are no cycle.
    #expect(remarks(.with([Self.need("CartService"), Self.cart, Self.need("Prices"), prices])) == [])
    // Separate processes have separate needs.
    #expect(
      remarks(
        .with([Self.need("CartService"), Self.cart], path: "App", type: .executable),
        .with([back, prices], path: "Tool", type: .executable)) == [])
  }

  @Test func `needs are not expected, because their absence fails nothing`() throws {
    var text = ""
    SimulatedObject.inspection([.with([Self.need("P"), Self.cart])]).writeList { text += $0 }
    let list = try ExpectedRecords(Array(text.utf8), path: "list.json")
    #expect(SimulatedObject.inspection([.with([Self.cart])]).check(expecting: list) == [])
    #expect(
      SimulatedObject.inspection([.with([Self.need("P")])]).check(expecting: list).map(\.code) == [
        .unmetNeed, .missing,
      ])
  }

  @Test func `many needs are checked in a time that their number determines`() {
    let count = 10_000
    let needs = (0..<count).map { Self.need("A\($0).B\($0).P") }
    // The names are too long to be suggestions.
    let module = String(repeating: "X", count: 50)
    let services = (0..<count).map { Self.service("\(module)\($0).P", "X\($0).C") }
    let inspection = SimulatedObject.inspection([.with(needs + services)])
    let seconds = processorSeconds {
      let found = inspection.check()
      #expect(found.count { $0.code == .unmetNeed } == ProblemList.limit + 1)
      #expect(found.count { $0.code == .unusedService } == ProblemList.limit + 1)
    }
    #expect(seconds < 15)
  }
}
