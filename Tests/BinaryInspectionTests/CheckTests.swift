import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

@MainActor @Suite struct CheckTests {
  private func problems(_ objects: SimulatedObject..., members: [String?] = []) -> [InspectionProblem] {
    SimulatedObject.inspection(objects, members: members).check()
  }

  @Test func `correct records have no problems`() {
    #expect(
      problems(
        .with(
          [
            .module(#"{"module":"A.M"}"#), .module(#"{"module":"B.M","after":["A.M"]}"#),
            .service(#"{"protocol":"P","class":"A.C"}"#), .service(#"{"protocol":"P","class":"A.D","priority":1}"#),
            .service(#"{"protocol":"P","class":"A.E","name":"other"}"#),
            .handler(#"{"event":".e","handler":"A/F.swift:1:1"}"#),
            .handler(#"{"event":".e","handler":"A/F.swift:2:1"}"#),
            .action(#"{"target":"t","action":"a","handler":"A/F.swift:1:1"}"#),
            .action(#"{"target":"t","action":"a","handler":"B/F.swift:1:1"}"#),
          ])) == [])
  }

  @Test
  func `implementations with a condition or that replace others have no tie, and invalid conditions are reported`() {
    let services = ["", #","when":"preview""#, #","replaces":"A.C""#, #","replacesType":"C""#].map {
      TestRecord.service(#"{"protocol":"P","class":"A.C"\#($0)}"#, accessor: true)
    }
    #expect(problems(.with(services)) == [])
    #expect(
      SimulatedObject.inspection([.with(services)]).images[0].records.map {
        $0.contents.service?.replaces ?? $0.contents.service?.replacesType
      } == [nil, nil, "A.C", "C"])
    #expect(
      problems(.with([.service(#"{"protocol":"P","class":"A.C","when":"later"}"#)])).map(\.code) == [.malformedRecord])
  }

  @Test func `at most a thousand problems of a kind and file are listed, with the number of the others`() {
    let names = (0..<1_005).map { TestRecord.module(#"{"module":"A.M\#($0)"}"#) }
    let lost = (0..<3).map { TestRecord.module(#"{"module":"B.M\#($0)","after":["nobody"]}"#) }
    let found = problems(.with(names + names + lost, path: "App"), .with(Array(names.prefix(1_001)), path: "Plug"))
    let counts = [Diagnostic.Code.duplicate, .unknownAfter].map { code in found.count { $0.code == code } }
    #expect(counts == [2_002, 3])
    #expect(
      found.filter { $0.message.contains(" more ") }.map(\.description) == [
        "App: error: 5 more messages of this kind [duplicate]",
        "Plug: error: 1 more message of this kind [duplicate]",
      ])
  }

  @Test func `an archive member is not a separate process, whatever its type`() {
    let members = (0..<2_000).map { index in
      SimulatedObject.with(
        [.module(#"{"module":"A.M\#(index)"}"#)], path: "lib.a", type: index % 2 == 0 ? .executable : .library)
    }
    let inspection = SimulatedObject.inspection(members, members: members.indices.map { "\($0).o" })
    let links = inspection.families.map(LinkedImages.init)
    #expect(links.flatMap { $0.processes(of: $0.family).map(\.images.count) } == [2_000])
  }

  @Test func `two modules with one name are reported, also in two files, as at run time`() {
    let found = problems(
      .with([.module(#"{"module":"A.M"}"#)], path: "App", type: .executable),
      .with([.module(#"{"module":"A.M","priority":1}"#)], path: "Plug"))
    #expect(
      found.map(\.description) == [
        "Plug: error: A.M: a module with this name is already exported by 'App'; this module is ignored; link its target"
          + " into only one of the images, or into a dynamic library product that both use [duplicate]"
      ])
    // Images of different architectures are never in one process.
    #expect(
      problems(
        .with([.module(#"{"module":"A.M"}"#)], path: "App"),
        .with([.module(#"{"module":"A.M"}"#)], path: "Other", architecture: "x86_64")) == [])
  }

  @Test func `handlers of a target that two images contain are reported`() {
    func image(_ path: String, _ type: ImageHeader.FileType, _ line: Int = 1) -> SimulatedObject {
      .with([.handler(#"{"event":".e","handler":"A/F.swift:\#(line):1"}"#)], path: path, type: type)
    }
    #expect(
      problems(image("App", .executable), image("Plug", .library), image("Other", .library, 2)).map(\.description) == [
        "Plug: error: A/F.swift:1:1: this handler is already exported by 'App', so each event calls it twice; link its"
          + " target into only one of the images, or into a dynamic library product that both use [duplicate]"
      ])
    // Two executables are never in one process, and an image repeats the records of its objects.
    #expect(problems(image("App", .executable), image("Tool", .executable)) == [])
    #expect(problems(image("A.o", .object), image("B.o", .object)) == [])
    #expect(problems(image("App/F.so", .library), image("App/PlugIn/F.so", .library)) == [])
  }

  @Test func `a type whose services have different scopes is reported`() {
    func service(_ name: String, _ scope: String, at file: String = "A/C.swift:1:1", _ more: String = "") -> TestRecord
    {
      .service(
        #"{"protocol":"\#(name)","class":"A.C","scope":"\#(scope)","at":"\#(file)"\#(more)}"#, accessor: true)
    }
    #expect(problems(.with([service("P", "shared"), service("Q", "shared", at: "A/C.swift:2:1")])) == [])
    #expect(problems(.with([service("P", "shared"), service("Q", "transient")])) == [])
    #expect(problems(.with([service("P", "shared"), service("Q", "weak", #","separateInstance":true"#)])) == [])
    #expect(problems(.with([service("P", "shared"), service("Q", "weak", at: "A/D.swift:1:1")])) == [])
    #expect(problems(.with([service("P", "shared")], path: "App"), .with([service("Q", "weak")], path: "Plug")) == [])
    #expect(
      problems(
        .with(
          [
            service("P", "cached(day)"), service("Q", "cached(session)", at: "A/C.swift:2:1"),
            service("R", "cached(day)"),
          ],
          path: "App")
      ).map(\.description) == [
        "App: error: A.C (A/C.swift:2:1): the type is exported as 'Q' with scope 'cached(session)', and as 'P' with scope"
          + " 'cached(day)', so it has two instances; use one scope, or pass 'separateInstance: true' if this is intended"
          + " [split-instance]"
      ])
    let c = [("P", "shared"), ("Q", "weak")].map {
      TestRecord.service(#"{"protocol":"\#($0.0)","class":"A.C","scope":"\#($0.1)"}"#)
    }
    #expect(problems(.with(c)).map(\.code) == [.splitInstance])
  }

  @Test func `a class that is exported as a module and as a service is reported`() {
    func found(_ service: String, module: String = "A.C", at file: String = "A/C.swift:2:1") -> [InspectionProblem] {
      let module = TestRecord.module("{\"module\":\"\(module)\",\"at\":\"\(file)\"}", accessor: true)
      let service = TestRecord.service(
        "{\"protocol\":\"P\",\"class\":\"A.C\",\"at\":\"A/C.swift:1:1\"\(service)}", accessor: true)
      return SimulatedObject.inspection([.with([module, service], path: "App")]).check()
        .filter { $0.code == .splitInstance }
    }
    #expect(
      found(#","scope":"shared""#).map(\.description) == [
        "App: error: A.C (A/C.swift:1:1): the class is exported as a module and as 'P', so the manager of modules and"
          + " lookups create different instances; register the module itself in 'setUp', as in"
          + " 'context.services.register(P.self) { self }', move the service to another type, or pass"
          + " 'separateInstance: true' if this is intended [split-instance]"
      ])
    #expect(found("").map(\.severity) == [.note])
    #expect(found(#","scope":"shared","separateInstance":true"#).isEmpty)
    #expect(found("", module: "A.D").isEmpty && found("", at: "A/D.swift:1:1").isEmpty)
  }

  @Test func `a problem states the source location of the record`() {
    let found = problems(
      .with(
        [
          .module(#"{"module":"A.M","after":["Other"],"at":"A/M.swift:3:1"}"#, accessor: true),
          .service(#"{"protocol":"P","class":"A.C","at":"A/C.swift:1:1"}"#, accessor: true),
          .service(#"{"protocol":"P","class":"A.D","at":"A/D.swift:2:1"}"#, accessor: true),
          .route(#"{"route":".r","handler":"A/R.swift:1:1"}"#), .route(#"{"route":".r","handler":"A/R.swift:2:1"}"#),
        ], path: "App"))
    #expect(
      found.map(\.description) == [
        "App: error: P (A/D.swift:2:1): 'A.C' (App, A/C.swift:1:1) and 'A.D' (App, A/D.swift:2:1) have the same priority,"
          + " 0, so the first loaded or registered is used; give one of them a higher priority, or give them names [tie]",
        "App: error: A/R.swift:2:1: the route '.r' already has a handler, 'A/R.swift:1:1' (App); this one is ignored until"
          + " that one is removed; if they are two routes, give them two names; if both must run, trigger an event"
          + " [duplicate]",
        "App: error: A.M (A/M.swift:3:1): 'after' names 'Other', but no file exports a module with that name"
          + " [unknown-after]",
      ])
    #expect(found.map(\.location) == ["A/D.swift:2:1", "A/R.swift:2:1", "A/M.swift:3:1"])
    #expect(
      Inspection(images: []).report(found.suffix(1)) == #"""
        {"version":1,"images":0,"records":0,
        "problems":[
        {"severity":"error","code":"unknown-after","file":"App","subject":"A.M","location":"A/M.swift:3:1","offset":null,"message":"'after' names 'Other', but no file exports a module with that name"}
        ]}

        """#)
  }

  @Test func `slices can declare a module or a handler at different lines`() {
    func slice(_ line: Int, _ architecture: String, _ more: TestRecord...) -> SimulatedObject {
      let records: [TestRecord] = [
        .module(#"{"module":"A.M","at":"A/M.swift:\#(line):1"}"#, accessor: true),
        .handler(#"{"event":".e","handler":"A/M.swift:\#(line):10","priority":1}"#),
        .route(#"{"handler":"A/M.swift:\#(line):20","route":".r"}"#),
      ]
      return .with(records + more, path: "App", architecture: architecture)
    }
    #expect(SimulatedObject.slices([slice(3, "arm64"), slice(5, "x86_64")]).check() == [])
    func contribution(_ handler: String) -> TestRecord {
      TestRecord(kind: 0x636f_6e74, json: #"{"point":"menu","handler":"\#(handler)"}"#, hasAccessor: true)
    }
    for (handler, other) in [("cart::rows", "cart::total"), ("A/A.swift:1:1", "A/B.swift:1:1")] {
      let slices = [slice(3, "arm64", contribution(handler)), slice(3, "x86_64", contribution(other))]
      #expect(SimulatedObject.slices(slices).check().map(\.code) == [.sliceMismatch, .sliceMismatch])
    }
  }

  @Test func `two Swift records with one name in one image are two private types, and both count`() {
    let loader = TestRecord.module(#"{"module":"A.Loader"}"#, accessor: true)
    let other = TestRecord.module(#"{"module":"A.Loader","priority":1,"after":["A.M"]}"#, accessor: true)
    let module = TestRecord.module(#"{"module":"A.M"}"#, accessor: true)
    #expect(problems(.with([loader, other, module])) == [])
    // A name in `after` refers to both modules.
    let waiting = TestRecord.module(#"{"module":"A.M","after":["A.Loader"]}"#, accessor: true)
    let found = problems(.with([loader, other, waiting]))
    #expect(found.map(\.code) == [.cycle])
    #expect(
      found.first?.message.contains("'A.Loader' → 'A.M' → 'A.Loader'") == true)
    // A record that names a class, or a record of another image, claims the name for one module.
    #expect(problems(.with([loader, .module(#"{"module":"A.Loader"}"#)])).map(\.code) == [.duplicate])
    #expect(problems(.with([loader], path: "App"), .with([other, module], path: "Plug")).map(\.file) == ["Plug"])
    // The linker can put several objects into one image.
    #expect(
      problems(
        .with([loader], path: "A.o", type: .object), .with([other, module], path: "B.o", type: .object)) == [])
  }

  @Test func `a name that no executable has is reported once, with the first executable's suggestion`() {
    let library = SimulatedObject.with(
      [.module(#"{"module":"Shop.A","after":["Shop.CartModle"]}"#)], path: "Library", type: .library)
    let one = SimulatedObject.with([.module(#"{"module":"Shop.CartModule"}"#)], path: "One", type: .executable)
    let two = SimulatedObject.with([.module(#"{"module":"Other.B"}"#)], path: "Two", type: .executable)
    let told = "'after' names 'Shop.CartModle', but no file exports a module with that name"
    #expect(problems(library, one, two).map(\.message) == [told + "; did you mean 'Shop.CartModule'?"])
    #expect(problems(library, two, one).map(\.message) == [told])
  }

  @Test func `executables are separate processes, and libraries belong to each of them`() {
    let module = TestRecord.module(#"{"module":"A.M"}"#)
    let one = SimulatedObject.with([module], path: "One", type: .executable)
    let two = SimulatedObject.with([module, .module(#"{"module":"B.M"}"#)], path: "Two", type: .executable)
    #expect(problems(one, two) == [])
    let library = SimulatedObject.with([.module(#"{"module":"L.M","after":["B.M"]}"#)], path: "Lib")
    // The library can belong to the executable that has the module.
    #expect(problems(one, two, library) == [])
    let member = SimulatedObject.with([.module(#"{"module":"L.M","after":["B.M"]}"#)], path: "a", type: .executable)
    #expect(problems(one, two, member, members: [nil, nil, "m"]) == [], "no process starts a member of an archive")
    #expect(problems(one, library).map(\.code) == [.unknownAfter])
    #expect(problems(one, two, .with([module], path: "Lib")).map(\.file) == ["Lib", "Lib"])
  }

  @Test func `a library is in the processes of the executables that link it, or in all if none does`() {
    func records(_ module: String) -> [TestRecord] {
      [
        .service("{\"protocol\":\"P\",\"class\":\"\(module).C\"}"),
        .route("{\"route\":\".home\",\"handler\":\"\(module)/F.swift:1:1\"}"),
      ]
    }
    let base = SimulatedObject.with([], path: "libBase.so")
    let app = SimulatedObject.with([], path: "App", type: .executable).linking(["libBase.so", "libOwn.so"])
    let widget = SimulatedObject.with(
      records("Widget") + [.module(#"{"module":"Widget.M"}"#)], path: "Widget", type: .executable
    )
    .linking(["libBase.so"])
    let waiting = TestRecord.module(#"{"module":"Own.M","after":["Widget.M"]}"#)
    let own = SimulatedObject.with(records("Own") + [waiting], path: "libOwn.so").linking(["libBase.so"])
    #expect(problems(app, widget, base, own).map(\.code) == [.unknownAfter])
    // A library that wasn't passed belongs to all of them.
    let dynamic = ["App", "Widget"].map {
      SimulatedObject.with(records("Same"), path: $0, type: .executable).linking(["libRegistryDynamic.so"])
    }
    #expect(problems(dynamic[0], dynamic[1]) == [])
    // A process that opens the plug-in loads its libraries.
    let plugIn = SimulatedObject.with([], path: "libPlug.so").linking(["libOwn.so"])
    #expect(problems(app, widget, base, own, plugIn).map(\.code) == [.tie, .duplicate])
    // No process loads two executables' libraries.
    let cycle = ["A", "B"].map { TestRecord.module(#"{"module":"\#($0)","after":["\#($0 == "A" ? "B" : "A")"]}"#) }
    let libraries = [SimulatedObject.with([cycle[0]], path: "libA.so"), .with([cycle[1]], path: "libB.so")]
    func program(_ links: String...) -> SimulatedObject {
      .with([], path: "Links \(links)", type: .executable).linking(links)
    }
    #expect(
      problems(program("libA.so"), program("libB.so"), libraries[0], libraries[1]).map(\.code) == [
        .unknownAfter, .unknownAfter,
      ])
    // One process has the cycle, and others have its libraries.
    #expect(
      problems(program("libA.so"), program("libA.so", "libB.so"), program("libB.so"), libraries[0], libraries[1]).map(
        \.code)
        == [.cycle])
  }

  @Test(arguments: [999, 1_000, 1_003])
  func `a library's problems in all processes are reported, however many there are`(count: Int) {
    let executables = ["One", "Two"].map { SimulatedObject.with([], path: $0, type: .executable) }
    let modules = (0..<count).map { TestRecord.module(#"{"module":"L.M\#($0)","after":["nobody\#($0)"]}"#) }
    let found = problems(executables[0], executables[1], .with(modules, path: "Lib"))
    #expect(found.count == min(count, 1_001))
    #expect(found.allSatisfy { $0.code == .unknownAfter })
  }

  @Test func `objects are compared with objects, and an object in two archives counts once`() {
    let module = TestRecord.module(#"{"module":"A.M"}"#)
    let app = SimulatedObject.with([module], path: "App", type: .executable)
    let object = SimulatedObject.with([module], path: "A.o", type: .object)
    #expect(problems(app, object) == [])
    let other = SimulatedObject.with([.module(#"{"module":"A.M","priority":1}"#)], path: "B.o", type: .object)
    #expect(
      problems(app, object, other).map(\.description) == [
        "B.o: error: A.M: a module with this name is already exported by 'A.o'; this module is ignored; pass the objects of"
          + " one build, or rename it [duplicate]"
      ])
    #expect(problems(object, .with([module], path: "C.o", type: .object), members: ["A.o", "A.o"]) == [])
  }

  @Test func `implementations of equal precedence tie, except those of plug-ins, which are loaded later`() {
    let a = TestRecord.service(#"{"protocol":"P","class":"A.C","priority":2}"#)
    let b = TestRecord.service(#"{"protocol":"P","class":"B.C","priority":2}"#)
    #expect(
      problems(.with([a, b])).map(\.description) == [
        "Simulated: error: P: 'A.C' (Simulated) and 'B.C' (Simulated) have the same priority, 2, so the first loaded or"
          + " registered is used; give one of them a higher priority, or give them names [tie]"
      ])
    #expect(problems(.with([a]), .with([b], path: "Plug.bundle", type: .bundle)) == [])
    #expect(
      problems(
        .with([a, b], path: "One.bundle", type: .bundle), .with([a, b], path: "Two.bundle", type: .bundle)
      ).map(\.file) == ["One.bundle", "Two.bundle"])
    #expect(problems(.with([a]), .with([b], path: "Lib")).map(\.code) == [.tie])
  }

  @Test func `the name of a service refers to the nearest declared protocol`() {
    func ties(_ one: (String, String), _ other: (String, String), accessor: Bool = true) -> Int {
      var known = DeclaredTypes()
      for name in ["A.P", "B.P", "A.Outer.P", "API.Q", "C.R", "D.R"] {
        known.protocols.insert(name)
      }
      let records = [one, other].map {
        TestRecord.service("{\"protocol\":\"\($0.0)\",\"class\":\"\($0.1)\"}", accessor: accessor)
      }
      let images = SimulatedObject.inspection([.with(records)]).images
      let list = ProblemList()
      DuplicateCheck.check(images, ServiceNames(known), list)
      return list.all.count
    }
    // In two modules, the name refers to a protocol of each module. One of these is nested.
    #expect(ties(("P", "A.C"), ("P", "B.C")) == 0)
    #expect(ties(("P", "A.C"), ("P", "A.Outer.C")) == 0)
    #expect(ties(("Outer.P", "A.C"), ("P", "A.Outer.C")) == 1)
    #expect(ties(("P", "A.C"), ("A.P", "B.C")) == 1)
    // An imported protocol is the same with and without its module.
    #expect(ties(("Q", "A.C"), ("Q", "B.C")) == 1)
    #expect(ties(("Q", "A.C"), ("API.Q", "B.C")) == 1)
    // The name refers to one of several protocols: the same one in one module, and unknown ones in
    // two modules.
    #expect(ties(("R", "A.C"), ("R", "A.D")) == 1)
    #expect(ties(("R", "A.C"), ("R", "B.C")) == 0)
    // Names of unknown protocols, and names in C records, are compared as they are written.
    #expect(ties(("S", "A.C"), ("S", "B.C")) == 1)
    #expect(ties(("Q", "A.C"), ("API.Q", "B.C"), accessor: false) == 0)
  }

  @Test(arguments: [3, 15, 16, 40]) func `among many protocols with one name, the one with the same spelling is found`(
    count: Int
  ) {
    var known = DeclaredTypes()
    for number in 0..<count { known.protocols.insert("M\(number).Outer.P") }
    known.protocols.insert("API.Space.P")
    func meaning(_ written: String) -> [String?] {
      let record = TestRecord.service("{\"protocol\":\"\(written)\",\"class\":\"App.C\"}", accessor: true)
      let placed = Array(ImageRecord.all(in: SimulatedObject.inspection([.with([record])]).images))
      return placed.isEmpty ? [] : ServiceNames(known).meaning(of: placed[0])
    }
    #expect(meaning("Space.P") == ["API.Space.P", nil])
    #expect(meaning("API.Space.P") == ["API.Space.P", nil])
    #expect(meaning("M2.Outer.P") == ["M2.Outer.P", nil])
    // These names refer to one of several protocols or to none.
    #expect(meaning("Outer.P") == ["Outer.P", "App"])
    #expect(meaning("P") == ["P", "App"])
    #expect(meaning("pace.P") == ["pace.P", nil])
  }

  @Test func `protocols with one name in two modules are different, as at run time`() throws {
    let libraries = try ["A", "B"].map { module in
      try SharedObject(
        "", name: "Twin\(module)",
        swift: """
          public protocol Storage {}
          public enum Space { public protocol Inner {} }
          """, module: "Twin\(module)")
    }
    // The objects remove their files when they are released.
    let inspection = withExtendedLifetime(libraries) { Inspection(of: libraries.map(\.path)) }
    let known = try #require(inspection.types?.values.first)
    #expect(
      known.protocols == ["TwinA.Storage", "TwinB.Storage", "TwinA.Space.Inner", "TwinB.Space.Inner"])
  }

  @Test func `protocols of C records are checked if all files state their protocols`() {
    func codes(_ json: String, _ format: ImageHeader.Format, _ change: (inout DeclaredTypes) -> Void = { _ in })
      -> [Diagnostic.Code]
    {
      let images = SimulatedObject.inspection([
        .with([.service(json), .service(#"{"protocol":"Cart.No","class":"Cart.C"}"#, accessor: true)], format: format)
      ]).images
      var known = DeclaredTypes()
      known.swift = ["Cart.C", "Api.Space.Nested"]
      known.protocols = ["Cart.P"]
      change(&known)
      return TypeCheck.problems(images, known).map(\.code)
    }
    let misspelled = #"{"protocol":"Cart.Q","class":"Cart.C"}"#
    #expect(codes(misspelled, .machO) == [.unknownProtocol] && codes(misspelled, .elf) == [.unknownProtocol])
    #expect(codes(misspelled, .machO) { $0.unread = [.protocol] } == [])
    #expect(codes(misspelled, .machO) { $0.unread = [.type] } == [])
    #expect(codes(#"{"protocol":"Cart.P","class":"Cart.C"}"#, .machO) == [])
    // An extension declares the nested type, and no file contains the module.
    #expect(codes(#"{"protocol":"Api.P","class":"Cart.C"}"#, .machO) == [])
    // The system has protocols of Objective-C.
    #expect(codes(#"{"protocol":"P","class":"Cart.C"}"#, .machO) == [])
    #expect(codes(#"{"protocol":"P","class":"Cart.C"}"#, .elf) == [.unknownProtocol])
    // A lookup finds a composition by its name.
    #expect(codes(#"{"protocol":"Cart.P & Cart.Q","class":"Cart.C"}"#, .machO) == [])
  }

  @Test func `a route or an action of one module with two handlers is reported`() {
    let found = problems(
      .with([
        .route(#"{"route":".order","handler":"B/F.swift:1:1"}"#), .route(#"{"route":".order","class":"A.Screen"}"#),
        .action(#"{"target":"t","action":"a","handler":"A/F.swift:12:1"}"#),
        .action(#"{"target":"t","action":"a","handler":"A/F.swift:9:1"}"#),
      ]))
    #expect(found.map(\.code) == [.duplicate, .duplicate])
    // Like at run time, the smaller source location is used.
    #expect(found.map(\.subject) == ["B/F.swift:1:1", "A/F.swift:12:1"])
    let loaded = problems(
      .with([.route(#"{"route":".order","handler":"A/F.swift:1:1"}"#)], path: "PlugIn", type: .bundle),
      .with([.route(#"{"route":".order","handler":"B/F.swift:1:1"}"#)], path: "App"))
    #expect(loaded.map(\.subject) == ["A/F.swift:1:1"])
    #expect(
      found[0].message.hasPrefix(
        "the route '.order' already has a handler, 'A.Screen' (Simulated); this one is ignored"))
    #expect(found[1].message.hasPrefix("the action 't.a' already has a handler, 'A/F.swift:9:1' (Simulated); this one"))
  }

  @Test func `unknown names in after are reported with the nearest name`() {
    let found = problems(
      .with([
        .module(#"{"module":"Cart.CartModule"}"#),
        .module(#"{"module":"B.M","after":["Cart.CartModul","Unknown.Part"]}"#),
      ]))
    #expect(
      found.map(\.message) == [
        "'after' names 'Cart.CartModul', but no file exports a module with that name; did you mean 'Cart.CartModule'?",
        "'after' names 'Unknown.Part', but no file exports a module with that name",
      ])
    #expect(found.allSatisfy { $0.code == .unknownAfter && $0.subject == "B.M" })
    let many = (0..<20).map { "\"N\($0)\"" }.joined(separator: ",")
    let told = problems(.with([.module(#"{"module":"B.M","after":[\#(many)]}"#)]))
    #expect(told.count == 9 && told[8].message == "'after' names 12 more modules that no file exports")
  }

  @Test func `a name without its target is suggested with it if only one module has it`() {
    let modules = ["Account.AccountModule", "Account.LoginModule", "Password.LoginModule"].map {
      TestRecord.module("{\"module\":\"\($0)\"}")
    }
    let waiting = TestRecord.module(#"{"module":"B.M","after":["AccountModule","LoginModule"]}"#)
    #expect(
      problems(.with(modules + [waiting], path: "App")).map(\.description) == [
        "App: error: B.M: 'after' names 'AccountModule', but no file exports a module with that name; did you mean "
          + "'Account.AccountModule'? [unknown-after]",
        "App: error: B.M: 'after' names 'LoginModule', but no file exports a module with that name [unknown-after]",
      ])
  }

  @Test func `types in after are found as the compiler finds them`() {
    let modules: [TestRecord] = ["App.A", "App.Outer.A", "App.Outer.B", "Lib.Only", "Lib.Twice", "Lob.Twice"].map {
      .module("{\"module\":\"\($0)\"}")
    }
    func after(_ type: String) -> [String] {
      let waiting = TestRecord.module("{\"module\":\"App.Outer.M\",\"priority\":9,\"afterTypes\":[\"\(type)\"]}")
      let check = ModuleCheck(
        SimulatedObject.inspection([.with(modules + [waiting])]).images, ServiceNames(DeclaredTypes()))
      return check.modules.first { $0.recorded.attributes.module == "App.Outer.M" }?.recorded.attributes.after ?? []
    }
    #expect(after("A") == ["App.Outer.A"] && after("App.A") == ["App.A"] && after("Outer.B") == ["App.Outer.B"])
    #expect(after("Only") == ["Lib.Only"] && after("Lib.Twice") == ["Lib.Twice"] && after("Twice") == [])
    // An alias has another name than its type.
    #expect(problems(.with([.module(#"{"module":"App.M","afterTypes":["Alias"]}"#)])).isEmpty)
  }

  @Test func `a cycle of modules is reported with its path`() {
    let found = problems(
      .with([
        .module(#"{"module":"A","after":["C"]}"#), .module(#"{"module":"B","after":["A"]}"#),
        .module(#"{"module":"C","after":["B"]}"#), .module(#"{"module":"D","after":["C"]}"#),
      ]))
    #expect(
      found.map(\.description) == [
        "Simulated: error: A: modules wait for each other in 'after': 'A' → 'C' → 'B' → 'A'; remove one of these names from"
          + " 'after', or 'afterNeeds: true' from one of these modules [cycle]"
      ])
    #expect(problems(.with([.module(#"{"module":"A","after":["A"]}"#)])).map(\.code) == [.cycle])
    // Each cycle is reported, and one of a library and every executable as well.
    let two = ["A", "B"].map { TestRecord.module(#"{"module":"\#($0)","after":["\#($0)"]}"#) }
    #expect(problems(.with(two)).map(\.subject) == ["A", "B"])
    let executables = ["One", "Two"].map { path in
      SimulatedObject.with([.module(#"{"module":"B","after":["A"]}"#)], path: path, type: .executable)
    }
    let library = SimulatedObject.with([.module(#"{"module":"A","after":["B"]}"#)], path: "Lib")
    #expect(problems(executables[0], executables[1], library).map(\.file) == ["Lib"])
    // The check stops after 20 cycles of a process, and says so.
    let many = (10..<31).map { TestRecord.module(#"{"module":"M\#($0)","after":["M\#($0)"]}"#) }
    #expect(problems(.with(Array(many.dropLast()))).count == 20)
    let shared = problems(executables[0], executables[1], .with(many, path: "Lib")).filter { $0.code == .cycle }
    #expect(shared.prefix(20).map(\.subject) == (10..<30).map { "M\($0)" })
    #expect(
      shared.dropFirst(20).map(\.description)
        == [
          "Lib: error: M30: more modules wait for each other in 'after'; remove these cycles, and check the file again"
            + " [cycle]"
        ])
  }

  @Test func `a problem that one executable has with the modules of a library is reported once`() {
    func found(_ app: String, _ library: String...) -> [String] {
      let modules = library.map { TestRecord.module("{\($0)}") }
      return problems(
        .with([.module("{\(app)}")], path: "App", type: .executable), .with([], path: "Tool", type: .executable),
        .with(modules, path: "Lib")
      ).map { "\($0.file): \($0.message.prefix { $0 != ";" }) [\($0.code)]" }
    }
    // In one of the processes, the search enters the cycle at another module.
    #expect(
      found(
        #""module":"App.A","after":["L.C"]"#, #""module":"L.B","after":["L.C"]"#, #""module":"L.C","after":["L.B"]"#)
        == ["Lib: modules wait for each other in 'after': 'L.B' → 'L.C' → 'L.B' [cycle]"])
    #expect(
      found(#""module":"App.A","after":["A.B"]"#, #""module":"A.B","after":["App.A"]"#)
        == ["Lib: modules wait for each other in 'after': 'A.B' → 'App.A' → 'A.B' [cycle]"])
    #expect(
      found(#""module":"App.A""#, #""module":"L.B","level":"basic","after":["App.A"]"#)
        == ["Lib: the module is basic, but 'after' names the normal module 'App.A' [level-conflict]"])
  }

  @Test func `a module in an extension that names its module also has the runtime's name in after`() {
    let inner = TestRecord.module(#"{"module":"App.Swift.String.Inner","after":["App.B"]}"#, accessor: true)
    #expect(problems(.with([inner, .module(#"{"module":"App.B"}"#)])) == [])
    let found = problems(.with([inner, .module(#"{"module":"App.B","after":["App.String.Inner"]}"#)]))
    #expect(found.map(\.code) == [.cycle])
    let other = problems(.with([inner, .module(#"{"module":"App.B","after":["App.String.Outer"]}"#)]))
    #expect(other.map(\.code) == [.unknownAfter])
  }

  @Test func `levels and activations that contradict after are reported as at run time`() {
    let found = problems(
      .with([
        .module(#"{"module":"A","level":"basic","after":["B"]}"#),
        .module(#"{"module":"B","activation":"onFirstEvent"}"#),
      ]))
    #expect(found.map(\.code) == [.activationConflict, .levelConflict])
  }

  @Test func `slices that differ are reported, each record once`() {
    func slice(_ architecture: String, _ records: [TestRecord]) -> SimulatedObject {
      .with(records, path: "Fat", architecture: architecture)
    }
    let (a, b) = (TestRecord.module(#"{"module":"A.M"}"#), TestRecord.module(#"{"module":"B.M"}"#))
    #expect(SimulatedObject.slices([slice("arm64", [a, b]), slice("x86_64", [b, a])]).check() == [])
    let places = ["1:1", "2:1"].map { TestRecord.module(#"{"module":"A.M","at":"Caf\u00e9/A.swift:\#($0)"}"#) }
    #expect(SimulatedObject.slices([slice("arm64", [places[0]]), slice("x86_64", [places[1]])]).check() == [])
    let many = (0..<30).map { slice("a\($0)", $0 == 0 ? [a] : []) }
    #expect(
      SimulatedObject.slices(many).check().map(\.message) == [
        "the file registers it for 'a0', but not for \((1...20).map { "'a\($0)'" }.joined(separator: ", ")), and 9 more"
      ])
    let found = SimulatedObject.slices([slice("arm64", [a, b]), slice("x86_64", [b]), slice("arm64e", [b])]).check()
    #expect(
      found.map(\.description) == [
        #"Fat: error: modu {"module":"A.M"}: the file registers it for 'arm64', but not for 'x86_64' and 'arm64e' [slice-mismatch]"#
      ])
    #expect(SimulatedObject.slices([slice("arm64", [a]), slice("x86_64", [])]).check().count == 1)
    let twice = SimulatedObject.slices([slice("arm64", [a, b]), slice("x86_64", [a, b, a])]).check()
    #expect(
      twice.filter { $0.code == .sliceMismatch }.map(\.description) == [
        #"Fat: error: modu {"module":"A.M"}: the file registers it more often for 'x86_64' than for 'arm64' [slice-mismatch]"#
      ])
  }

  @Test func `at most a thousand differences between slices are reported`() {
    let records = (0..<1_003).map { TestRecord.module(#"{"module":"A.M\#($0)"}"#) }
    let images = [(records, "arm64"), ([], "x86_64")].map {
      SimulatedObject.with($0.0, path: "Fat", architecture: $0.1)
    }
    let found = SimulatedObject.slices(images).check().filter { $0.code == .sliceMismatch }
    #expect(found.count == 1_001)
    #expect(found.last?.description == "Fat: error: 3 more messages of this kind [slice-mismatch]")
  }

  @Test func `damaged metadata is an error and a note, and the file's records are listed`() {
    var builder = MetadataBuilder(list: 1)
    _ = builder.module("A")
    let damaged = MetadataObject(builder, section: "__TEXT,__swift5_types", list: 3)
    let inspection = Inspection(of: ["x"], readsClasses: true) { path, tell in
      tell(.found(damaged, path: path, member: nil))
    }
    #expect(inspection.images.count == 1)
    #expect(inspection.errors.map { $0.message.contains("is not a list of relative pointers") } == [true])
    #expect(
      inspection.notes.map(\.description) == [
        "Metadata: note: the classes cannot be read, so classes that no file contains are not reported [unread-classes]"
      ])
  }

  @Test func `a note about unread classes names an archive only once`() {
    let objects = (0..<3).map { _ in SimulatedObject.with([], path: "libCart.a", type: .object) }
    let inspection = SimulatedObject.inspection(objects, members: ["A.o", "B.o", "C.o"], readsClasses: true)
    #expect(
      inspection.notes.map(\.description) == [
        "libCart.a: note: the classes cannot be read, so classes that no file contains are not reported"
          + " [unread-classes]"
      ])
  }

  @Test func `missing classes are reported, unless a file's classes cannot be read`() throws {
    let records = [
      TestRecord.module(#"{"module":"A.M"}"#), .service(#"{"protocol":"P","class":"ObjC"}"#),
      .handler(#"{"event":".e","handler":"A/F.swift:1:1"}"#),
    ]
    let found = SimulatedObject.inspection([.with(records)], readsClasses: true).check()
    #expect(found.map(\.subject) == ["A.M", "ObjC"] && found.allSatisfy { $0.code == .unknownClass })
    let elf = SimulatedObject.inspection([.with(records, format: .elf)], readsClasses: true)
    #expect(elf.check()[1].message.contains("which this system does not support"))
    #expect(elf.notes == [])

    var known = DeclaredTypes()
    known.swift = ["A.M", "Other.Outer.Inner"]
    known.objectiveC = ["ObjC"]
    let image = SimulatedObject.inspection([
      .with(records + [.module(#"{"module":"B.Inner"}"#, accessor: true), .module(#"{"module":"A.N"}"#)])
    ]).images
    #expect(
      TypeCheck.problems(image, known).map(\.message).map { $0.hasSuffix("; did you mean 'A.M'?") } == [true])
    known.unread = [.type]
    #expect(TypeCheck.problems(image, known) == [])
    // The classes and the protocols of C records look alike.
    known.unread = []
    known.protocols = ["A.P"]
    let swapped = SimulatedObject.inspection([.with([.service(#"{"protocol":"A.M","class":"A.P"}"#)])]).images
    #expect(TypeCheck.problems(swapped, known).map { $0.message.contains("names a protocol as its class") } == [true])
    (known.swift, known.values) = (["A.S"], ["A.S"])
    let value = SimulatedObject.inspection([
      .with([
        .service(#"{"protocol":"A.P","class":"A.S"}"#), .service(#"{"protocol":"A.P","class":"A.S"}"#, accessor: true),
      ])
    ]).images
    #expect(TypeCheck.problems(value, known).map { $0.message.hasPrefix("'A.S' is a structure or an enum") } == [true])
  }

  @Test func `a file that is named twice is read once`() {
    let module = SimulatedObject.with([.module(#"{"module":"A.M"}"#)])
    #expect(SimulatedObject.inspection([module, module]).images.count == 1)
  }
}

extension TypeCheck {
  fileprivate static func problems(_ images: [InspectedImage], _ known: DeclaredTypes) -> [InspectionProblem] {
    let list = ProblemList()
    TypeCheck(images, ServiceNames(known)).report(to: list)
    return list.all
  }
}

extension SimulatedObject {
  /// Returns an inspection of the slices of one file.
  static func slices(_ objects: [SimulatedObject]) -> Inspection {
    var images: [InspectedImage] = []
    for object in objects { images += inspection([object]).images }
    return Inspection(images: images)
  }
}
