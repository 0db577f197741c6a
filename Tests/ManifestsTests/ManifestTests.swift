import Manifests
import Foundation
import Lifecycle
import Registry
import RegistryReports
import TestSupport
import Testing

private let whole = """
  {"modules": [
     {"module": "ManifestsTests.FirstModule", "priority": 1},
     {"module": "ManifestsTests.SecondModule", "priority": 10, "after": ["ManifestsTests.FirstModule"]},
     {"module": "ManifestsTests.ThirdModule", "level": "basic"}],
   "services": [
     {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.PlainTill", "scope": "shared", "priority": 5},
     {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.GoldTill", "name": "gold"}],
   "configuration": {"shop.currency": "CHF", "shop.limit": 7}}
  """

@MainActor struct ManifestTests {
  let listing = Listing()
  private var manager: ModuleManager { listing.manager }

  private func checkWhole(_ report: ManifestReport) throws {
    #expect(report.problems.isEmpty && report.skippedModules.isEmpty)
    #expect(report.modules == ["First", "Second", "Third"].map { "ManifestsTests.\($0)Module" })
    #expect(report.description.hasPrefix("3 modules, 2 services, 2 settings"))
    #expect(listing.trace.lines == ["third", "first in CHF", "second"])
    let tills = try (0..<2).map { _ in try manager.context.services.createService(for: Till.self) }
    #expect(tills[0].name == "plain" && tills[0] as AnyObject === tills[1] as AnyObject)
    #expect(try manager.context.services.createService(for: Till.self, named: "gold").name == "gold")
    #expect(manager.context.configuration[.limit] == 7)
    #expect(listing.problems.unexpected.isEmpty)
    #expect(report.services.count == 2 && report.services.allSatisfy { $0.cancel() })
    #expect(!manager.context.services.contains(Till.self))
  }

  @Test func `the modules of a manifest are set up at the start, by level and priority`() throws {
    let report = manager.load(try Manifest(whole))
    #expect(listing.trace.lines.isEmpty)
    try manager.start()
    try checkWhole(report)
    manager.stop()
  }

  @Test func `a manifest that is loaded after the start sets its modules up in the same order`() throws {
    try manager.start()
    try checkWhole(manager.load(try Manifest(whole)))
    manager.stop()
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `a property list has the same effect`(format: PropertyListSerialization.PropertyListFormat) throws {
    let object = try JSONSerialization.jsonObject(with: Data(whole.utf8))
    let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID()).plist")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let report = manager.load(try Manifest(contentsOf: file))
    try manager.start()
    try checkWhole(report)
    manager.stop()
  }

  @Test func `an exported module precedes an entry for it`() throws {
    let problems = DiagnosticCollector()
    let manager = ModuleManager(
      services: ServiceManager(), records: .group("ManifestsTests"), onDiagnostic: problems.handler)
    let report = manager.load(
      try Manifest(#"{"modules": [{"module": "ManifestsTests.ExportedModule", "priority": 3}]}"#))
    #expect(report.skippedModules == ["ManifestsTests.ExportedModule"] && report.modules.isEmpty)
    #expect(manager.inspect().entries.map(\.attributes.priority) == [0] && problems.codes == [.duplicate])
  }

  @Test func `a service can be a class`() throws {
    let own = #"{"services": [{"protocol": "ManifestsTests.PlainTill", "class": "ManifestsTests.PlainTill"}]}"#
    #expect(manager.load(try Manifest(own)).problems.isEmpty)
    #expect(try manager.context.services.createService(for: PlainTill.self).name == "plain")
  }

  @Test func `problems have the name of the file, and their descriptions escape names`() throws {
    let text = #"{"modules": [{"module\u001b": "A.B"}]}"#
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID()).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(Set(try Manifest(contentsOf: file).problems.map(\.file)) == [file.lastPathComponent])
    let broken = try #require(throws: ManifestProblem.self) { try Manifest("{", "a\u{1b}.json") }
    let problems = try Manifest(text, "a\u{1b}.json").problems
    #expect(problems.count == 2)
    #expect((problems + [broken]).allSatisfy { !$0.description.contains("\u{1b}") })
  }

  @Test func `a missing file is an error with its path`() {
    let error = #expect(throws: ManifestProblem.self) {
      try Manifest(contentsOf: URL(fileURLWithPath: "/nowhere/shop.json"))
    }
    #expect(error?.code == "unreadable-manifest" && error?.file == "/nowhere/shop.json")
    #expect("\(error!)".hasPrefix("the manifest '/nowhere/shop.json' cannot be read: "))
    // The error of Foundation can repeat the path.
    let odd = #expect(throws: ManifestProblem.self) {
      try Manifest(contentsOf: URL(fileURLWithPath: "/nowhere/\u{1b}[2J\n"))
    }
    #expect(odd?.message.contains { $0 == "\u{1b}" || $0.isNewline } == false)
  }

  @Test func `an invalid entry is reported with its location and the fix, and the others are used`() throws {
    let report = manager.load(
      try Manifest(
        """
        {"modules": [{"module": "ManifestsTests.FirstModle"}, {"module": "ManifestsTests.SecondModule"},
          {"module": "ManifestsTests.NoTill"}, {"module": "ManifestsTests.ThirdModule", "priority": "high"},
          {"module": "ManifestsTests.SecondModule"}, 7, {"modul": "A.B"}, {"module": "ManifestsTests.ThirdModule", "level": "basics"},
          {"module": "ManifestsTests.ThirdModule", "after": ["A.B", 3]}, {"module": "ManifestsTests.ThirdModule", "prority": 3},
          {"module": "ManifestsTests.ThirdModule", "replaysMissedPhases": true}],
         "services": [{"protocol": "ManifestsTests.Tell", "class": "ManifestsTests.PlainTill"},
          {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.NoTill"},
          {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.PlainTill", "scope": "sharde"},
          {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.GoneTill"}],
         "setings": {}}
        """))
    #expect(report.modules == ["ManifestsTests.SecondModule"] && report.services.isEmpty)
    let expected = [
      "setings: unknown key; the key is ignored; the known keys are 'modules', 'services', and 'configuration'",
      "modules[3].priority: expected a 64-bit integer such as '10' or '-5', but found the string \"high\"; the entry is"
        + " ignored",
      "modules[5]: expected an object such as '{\"module\": \"Cart.CartModule\"}', but found the integer 7; the entry"
        + " is ignored",
      "modules[6].module: missing required key, for example '\"module\": \"Cart.CartModule\"'; the entry is ignored;"
        + " 'modul' may be a misspelling of it",
      "modules[6].modul: unknown key; the entry is ignored; did you mean 'module'?",
      "modules[7].level: expected 'basic' or 'normal', but found the string \"basics\"; the entry is ignored; did you"
        + " mean 'basic'?",
      "modules[8].after[1]: expected a name, but found the integer 3; the entry is ignored",
      "modules[9].prority: unknown key; the entry is ignored; did you mean 'priority'?",
      "modules[10].replaysMissedPhases: unknown key; the entry is ignored; write 'catchUp'",
      "services[2].scope: expected 'transient', 'shared', 'weak', or 'cached(name)', but found the string \"sharde\"; the entry is"
        + " ignored; did you mean 'shared'?",
      "modules[4]: the entry repeats 'modules[1]' and is ignored",
      "services[0].protocol: no loaded image contains a protocol named 'ManifestsTests.Tell'; the entry is ignored;"
        + " correct the name, or open the image that contains it before you load the manifest",
      "services[1].class: the class 'ManifestsTests.NoTill' cannot be created by its name; the entry is ignored; add a"
        + " conformance to 'Registry.NamedExport', or to 'Registry.MainActorNamedExport' if the class is isolated to"
        + " the main actor",
      "services[3].class: no loaded image contains a class named 'ManifestsTests.GoneTill'; the entry is ignored;"
        + " correct the name, or open the image that contains it before you load the manifest",
      "modules[0].module: no loaded image contains a class named 'ManifestsTests.FirstModle'; the entry is ignored;"
        + " correct the name, or open the image that contains it before you load the manifest",
      "modules[2].module: the class 'ManifestsTests.NoTill' does not conform to 'Lifecycle.Module'; the entry is"
        + " ignored; add the conformance",
    ]
    #expect(report.problems.map(\.description) == expected.map { "shop.json: \($0)" })
    #expect(listing.problems[.manifest].count == expected.count)
    #expect(manager.report().diagnostics.filter { $0.code == .manifest }.count == expected.count)
    #expect(report.description.hasPrefix("1 module, 0 services, 0 settings\nshop.json: setings"))
  }

  @Test func `a module that is loaded after the start finds the services of its manifest`() throws {
    try manager.start()
    let report = manager.load(
      try Manifest(
        """
        {"modules": [{"module": "ManifestsTests.TillModule"}],
         "services": [{"protocol": "ManifestsTests.Till", "class": "ManifestsTests.GoldTill"}]}
        """))
    #expect(report.skippedModules.isEmpty && listing.trace.lines == ["gold"])
    manager.stop()
  }

  @Test func `the services of a manifest that a module loads do not end with the module`() throws {
    let manifest = try Manifest(
      #"{"services": [{"protocol": "ManifestsTests.Till", "class": "ManifestsTests.GoldTill"}]}"#)
    manager.register(named: "loading") { [unowned manager] in
      let module = LoadingModule()
      module.load = { [unowned manager] in manager.load(manifest) }
      return module
    }
    try manager.start()
    manager.stop()
    #expect(try manager.context.services.createService(for: Till.self).name == "gold")
  }

  @Test func `a class can be listed for several services and under several names`() throws {
    let report = manager.load(
      try Manifest(
        """
        {"services": [{"protocol": "ManifestsTests.Till", "class": "ManifestsTests.PlainTill"},
          {"protocol": "ManifestsTests.Drawer", "class": "ManifestsTests.PlainTill"},
          {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.PlainTill", "name": "second"},
          {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.PlainTill"}]}
        """))
    #expect(report.services.count == 3 && report.problems.map(\.location) == ["services[3]"])
    let services = manager.context.services
    #expect(services.contains(Drawer.self) && services.contains(Till.self, named: "second"))
    #expect(try services.createService(for: Till.self).name == "plain")
  }

  @Test func `a misspelled name is reported with the nearest known name`() throws {
    manager.register(FirstModule.self)
    manager.context.services.register(Till.self) { PlainTill() }
    let report = manager.load(
      try Manifest(
        """
        {"modules": [{"module": "ManifestsTests.FirstModle"}, {"module": "FirstModule"}, {"module": "Whatever"}],
         "services": [{"protocol": "ManifestsTests.Tell", "class": "ManifestsTests.PlainTill"}]}
        """))
    let hints = report.problems.map { $0.message.split(separator: "; ")[2] }
    #expect(
      hints == [
        "did you mean 'ManifestsTests.Till'?", "did you mean 'ManifestsTests.FirstModule'?",
        "did you mean 'ManifestsTests.FirstModule'?",
        "write the name as 'Module.Name', or pass the module to 'load(_:searching:)'",
      ])
  }

  @Test func `the name of another kind of type says which`() throws {
    let report = manager.load(
      try Manifest(
        """
        {"modules": [{"module": "ManifestsTests.ManifestTests"}],
         "services": [{"protocol": "ManifestsTests.ManifestTests", "class": "ManifestsTests.Till"}]}
        """))
    #expect(
      report.problems.map(\.message) == [
        "'ManifestsTests.ManifestTests' is a structure and not a protocol; the entry is ignored; name a protocol, or"
          + " register the service in code",
        "'ManifestsTests.Till' is a protocol and not a class; the entry is ignored; name a class, or register the type in"
          + " code",
        "'ManifestsTests.ManifestTests' is a structure and not a class; the entry is ignored; name a class, or register"
          + " the type in code",
      ])
  }

  @Test func `a module that exists already is reported as a duplicate and skipped`() throws {
    manager.register(FirstModule.self)
    let report = manager.load(try Manifest(#"{"modules": [{"module": "ManifestsTests.FirstModule"}]}"#))
    #expect(
      report.skippedModules == ["ManifestsTests.FirstModule"] && report.modules.isEmpty && report.problems.isEmpty)
    #expect(listing.problems.diagnostics.map(\.code) == [.duplicate])
    #expect(report.description == "0 modules, 0 services, 0 settings; not added: 'ManifestsTests.FirstModule'")
  }

  @Test func `a module that fails its set-up after the start is reported and dropped alone`() throws {
    try manager.start()
    // Another module of the class has its own name.
    manager.register(named: "repaired") {
      let module = BrokenModule()
      module.isBroken = false
      return module
    }
    let report = manager.load(
      try Manifest(
        #"{"modules": [{"module": "ManifestsTests.BrokenModule"}, {"module": "ManifestsTests.SecondModule"}]}"#))
    #expect(
      report.modules == ["ManifestsTests.SecondModule"] && report.skippedModules == ["ManifestsTests.BrokenModule"])
    #expect(listing.problems.diagnostics.map(\.code) == [.setUpFailed])
    manager.stop()
  }

  @Test func `a module of a manifest can wait for its first event`() throws {
    try manager.start()
    let report = manager.load(
      try Manifest(
        #"{"modules": [{"module": "ManifestsTests.WaitingModule", "activation": "onFirstEvent", "catchUp": 1}]}"#))
    #expect(report.problems.map(\.location) == ["modules[0].catchUp"])
    manager.load(
      try Manifest(
        """
        {"modules": [{"module": "ManifestsTests.WaitingModule", "activation": "onFirstEvent", "initialization": "inNextTurn",
          "catchUp": true}]}
        """))
    #expect(listing.trace.lines.isEmpty)
    manager.trigger(.wakeUp)
    #expect(listing.trace.lines == ["sleeper", "awake"])
    manager.stop()
  }

  @Test func `each attribute of an entry takes effect, also next to a key of Ant`() throws {
    let report = manager.load(
      try Manifest(
        """
        {"Modules": [], "modules": [{"module": "ManifestsTests.FirstModule", "initialization": "inNextTurn",
          "catchUp": true}],
         "services": [{"protocol": "ManifestsTests.Till", "class": "ManifestsTests.GoldTill"},
          {"protocol": "ManifestsTests.Till", "class": "ManifestsTests.PlainTill", "priority": 1}]}
        """))
    #expect(report.problems.map(\.location) == ["Modules"])
    #expect(listing.problems[.manifest].map(\.subject) == ["shop.json: Modules"])
    let attributes = try #require(manager.inspect().entries.first).attributes
    #expect(attributes.initialization == .inNextTurn && attributes.replaysMissedPhases)
    #expect(try manager.context.services.createService(for: Till.self).name == "plain")
    #expect(manager.context.services.report().description.contains(" registered at shop.json: services[1], "))
    #expect(manager.report().description.contains("registered at shop.json: modules[0]"))
  }

  @Test func `a setting of another type than its key is reported with the key`() throws {
    manager.load(try Manifest(#"{"configuration": {"shop.limit": "many"}}"#))
    #expect(manager.context.configuration[.limit] == 3)
    #expect(listing.problems[.configurationMismatch].map(\.subject) == ["shop.limit"])
  }

  @Test func `reloading a file restores a setting that another file changed`() throws {
    let manifest = try Manifest(#"{"configuration": {"shop.currency": "CHF", "shop.curency": "USD"}}"#)
    manager.load(manifest)
    manager.load(try Manifest(#"{"configuration": {"shop.currency": "EUR"}}"#))
    #expect(manager.context.configuration[.currency] == "EUR")
    manager.reloadConfiguration(of: manifest, replacing: manifest)
    #expect(manager.context.configuration[.currency] == "CHF")
    #if DEBUG
    #expect(manager.report().description.contains("'shop.curency' is given, and no code has read it"))
    #endif
  }

  @Test func `a service without a priority comes after services that were registered before`() throws {
    manager.context.services.register(Till.self) { GoldTill() }
    manager.load(
      try Manifest(#"{"services": [{"protocol": "ManifestsTests.Till", "class": "ManifestsTests.PlainTill"}]}"#))
    #expect(try manager.context.services.createServices(for: Till.self).map(\.name) == ["gold", "plain"])
  }

  @Test func `reloading settings is one change, which also removes missing settings`() throws {
    let trace = Trace()
    let old = try Manifest(#"{"configuration": {"shop.currency": "CHF", "shop.limit": 7}}"#)
    manager.load(old)
    manager.context.observe(.currency) { trace.add("\($0)>\($1)") }
    manager.context.observe(.limit) { [unowned manager] in
      trace.add("\($0)>\($1) in \(manager.context.configuration[.currency])")
    }
    manager.reloadConfiguration(of: old, replacing: old)
    #expect(trace.lines.isEmpty)
    manager.reloadConfiguration(of: try Manifest(#"{"configuration": {"shop.currency": "USD"}}"#), replacing: old)
    #expect(trace.lines == ["CHF>USD", "7>3 in USD"])
  }

  @Test func `a problem with a file whose settings are reloaded is reported`() throws {
    let old = try Manifest(#"{"configuration": {"shop.limit": 7}}"#)
    manager.load(old)
    for text in [#"{"confguration": {"shop.limit": 8}}"#, #"{"configuration": []}"#] {
      manager.reloadConfiguration(of: try Manifest(text), replacing: old)
    }
    #expect(listing.problems[.manifest].map(\.subject) == ["shop.json: confguration", "shop.json: configuration"])
  }

  @Test func `reloading a file keeps a value that code has set unless the file's setting changed`() throws {
    let old = try Manifest(#"{"configuration": {"shop.currency": "CHF"}}"#)
    manager.load(old)
    manager.context.configuration[.currency] = "GBP"
    manager.reloadConfiguration(of: old, replacing: old)
    #expect(manager.context.configuration[.currency] == "GBP")
    manager.reloadConfiguration(of: try Manifest(#"{"configuration": {"shop.currency": "USD"}}"#), replacing: old)
    #expect(manager.context.configuration[.currency] == "USD")
  }
}
