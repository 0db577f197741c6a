import RegistryReports
import TestSupport
import Testing

@testable import Registry

private protocol Radio: Sendable { var name: String { get } }
private protocol Receiver: Sendable {}

@ExportService(Radio.self, scope: .shared)
@ExportService(Receiver.self, scope: .shared)
private final class Transistor: Radio, Receiver {
  let name = "transistor"
}

private class Recorder: @unchecked Sendable {}
private protocol Player: Sendable {}

@ExportService(Player.self)
private final class CassetteRecorder: Recorder, Player, @unchecked Sendable {
  override init() {}
}

private protocol Antenna: Sendable {}

@ExportService(Antenna.self, when: .flag("long-wave"))
private struct LongAntenna: Antenna {}

@ExportService(Antenna.self, named: "dish")
private actor SatelliteDish: Antenna {}

private struct OtherRadio: Radio { let name: String }

private protocol Unshared {}
private final class Alone: Unshared {}

private protocol Amplifier: Sendable {}
private protocol Tuner: Sendable {}
private protocol Unknown: Sendable {}
private struct RadioShelf {
  let services: ServiceManager
  @Service(in: \RadioShelf.services, cached: true) var radio: any Radio
  @Service(in: \RadioShelf.services, cached: true) var tuner: (any Tuner)?
}

private struct OtherUnknown: Unknown {}

@ExportService(Amplifier.self, group: "tests.mistakes")
private struct TubeAmplifier: Amplifier {}

@ExportService(Tuner.self, when: .flag("tests.mistakes"))
private struct DialTuner: Tuner {}

private protocol Switch: Sendable {}

@ExportService(Switch.self, when: .flag("fm,am"))
private struct BandSwitch: Switch {}

private protocol Dimmer: Sendable {}

@ExportService(Dimmer.self, when: .flag("tests.night"), group: "tests.dimmers")
private struct NightDimmer: Dimmer {}

extension ContributionPoint<[Int]> {
  fileprivate static var mistakenRows: Self { .init("tests.mistakes.rows") }
  fileprivate static var mistakenFooters: Self { .init("tests.mistakes.rows") }
}

#needs(Tuner.self, named: "dail", optional: true)
#needs(Tuner.self, named: "knob-2", optional: true)

#contribute(.mistakenRows, group: "tests.mistakes.points") { 1 }
#contribute(.mistakenFooters, group: "tests.mistakes.points") { 2 }

/// Mistakes, the messages about them, and correct code that looks similar.
@Suite struct MistakeTests {
  let problems = DiagnosticCollector()

  private func message<Service>(_ type: Service.Type, in services: ServiceManager, named name: String? = nil) -> String
  {
    do {
      _ = try services.createService(for: type, named: name)
      return ""
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Reports

  @Test func `a report tells of records that a child reads again, once each, and of names that look alike`() {
    let source = RecordSource.records { $0.name == "Radio" || $0.name == "Amplifier" }
    let parent = ServiceManager(records: source, onDiagnostic: problems.handler)
    let child = ServiceManager(parent: parent, records: source)
    parent.register(Unknown.self, scope: .cached("tests.session")) { fatalError() }
    child.register(Tuner.self, scope: .cached("tests.sesion")) { fatalError() }
    child.register(Player.self, scope: .cached("session")) { fatalError() }
    let report = child.report()
    #expect(report.description.contains(" of a child, too, so each manager creates its own instances"), "\(report)")
    #expect(report.description.contains("'tests.sesion' and 'tests.session' are two caches; if"), "\(report)")
    #expect(!report.description.contains("'session' and"), "\(report)")
    #expect(Set(report.diagnostics).count == report.diagnostics.count)
    let others = "\(ServiceManager(parent: parent).report()) \(parent.report())"
    #expect(!others.contains("of a child") && !others.contains("two caches"), "\(others)")
  }

  @Test func `a report tells of names that differ in case, of empty names, and of points with one identifier`() throws {
    let services = ServiceManager(records: .group("tests.mistakes.points"), onDiagnostic: problems.handler)
    for name in ["gift", "Gift ", "gifts", ""] { services.register(Radio.self, named: name) { OtherRadio(name: name) } }
    let report = services.report().description
    #expect(report.contains("'Gift ' and 'gift' are two names of 'RegistryTests.Radio'; if"), "\(report)")
    #expect(!report.contains("'gift' and 'gifts'"), "\(report)")
    let alike = ["ROSES", "ROSEs", "ROSes", "ROses", "Roses", "roses"]
    for name in alike { services.register(Tuner.self, named: name) { DialTuner() } }
    let others = services.report().description
    for (name, next) in zip(alike, alike.dropFirst()) {
      #expect(others.contains("'\(name)' and '\(next)' are two names of 'RegistryTests.Tuner'"), "\(others)")
    }
    let keyed = ContributionPoint<[String: Int]>("tests.mistakes.alike")
    for key in ["Save", "save"] { services.contribute(to: keyed, key: key) { 1 } }
    #expect(services.report().description.contains("'Save' and 'save' are two keys of 'ContributionPoint<[String: "))
    #expect(report.contains("named '' (lookups without 'named:' do not find an empty name)"), "\(report)")
    #expect(report.contains("'mistakenFooters' and 'mistakenRows' have this identifier, so each receives"), "\(report)")
    let one = ServiceManager(records: .records { $0.name == ".mistakenRows" }, onDiagnostic: problems.handler)
    #expect(!one.report().description.contains("have this identifier"))
  }

  @Test func `a report counts the instances of a weak service`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Receiver.self, scope: .weak) { Transistor() }
    let kept = try services.createService(for: Receiver.self)
    _ = try services.createService(for: Receiver.self)
    withExtendedLifetime(kept) { #expect(!services.report().description.contains("created")) }
    let other = ServiceManager(onDiagnostic: problems.handler)
    other.register(Radio.self, scope: .weak) { Transistor() }
    for count in 2...3 {
      _ = try other.createService(for: Radio.self)
      #expect(other.report().description.contains(", weak (created 2 times), priority 0") == (count == 3))
    }
  }

  @Test func `a flag with a space is told to separate flags`() {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    services.conditions.insert(.flag("long-wave short-wave"))
    #expect(
      services.report().diagnostics.contains { $0.message.hasSuffix("'REGISTRY_FLAGS' separates flags with commas") })
  }

  @Test func `a report says that the environment cannot set a flag with a comma`() {
    let services = ServiceManager(records: .records { $0.name == "Switch" }, onDiagnostic: problems.handler)
    func told() -> Int {
      services.report().description.ranges(
        of: "its condition '.flag(\"fm,am\")' does not hold; 'REGISTRY_FLAGS' cannot set it, because it separates"
      ).count
    }
    #expect(told() == 1)
    services.conditions = [.flag("fm,am")]
    #expect(told() == 0)
  }

  @Test func `a report suggests the name of an optional need`() {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let expected =
      "no implementation of 'RegistryTests.Tuner' has the name 'dail' of an optional need of RegistryTests/"
    func told() -> Int { services.report().description.ranges(of: expected).count }
    for name in ["other", "knob-1"] { services.register(Tuner.self, named: name) { DialTuner() } }
    #expect(told() == 0)
    services.register(Tuner.self, named: "dial") { DialTuner() }
    #expect(told() == 1 && !services.report().description.contains("has the name 'knob-2'"))
    services.register(Tuner.self, named: "dail") { DialTuner() }
    #expect(told() == 0)
  }

  @Test func `a report says which implementation of a parent is used`() throws {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    parent.register(Radio.self, scope: .shared) { OtherRadio(name: "one") }
    parent.register(Tuner.self) { DialTuner() }
    let child = ServiceManager(parent: ServiceManager(parent: parent), onDiagnostic: problems.handler)
    _ = (
      try child.createService(for: Radio.self), try child.createService(for: Tuner.self), child.contains(Unknown.self)
    )
    let lines = child.report().description.split(separator: "\n").prefix { !$0.hasPrefix("Services of") }
      .filter { $0.contains("no implementation") }
    try #require(lines.count == 3)
    let start =
      "    no implementation in this manager; lookups use a parent's the factory at RegistryTests/MistakeTests.swift:"
    #expect(lines[0].hasPrefix(start) && lines[0].contains(", whose instance other children share; to have"))
    #expect(lines[1].hasPrefix(start) && !lines[1].contains("share"))
    #expect(lines[2] == "    no implementation in this manager")
  }

  @Test func `a report applies a parent's conditions to the parent's implementations`() {
    let parent = ServiceManager(records: .records { $0.name == "Switch" }, onDiagnostic: problems.handler)
    let child = ServiceManager(parent: parent, onDiagnostic: problems.handler)
    (parent.conditions, child.conditions) = ([], [.flag("fm,am")])
    child.register(Switch.self) { BandSwitch() }.cancel()
    #expect(child.report().description.contains("    no implementation in this manager\n"))
    #expect(!child.contains(Switch.self))
  }

  #if DEBUG
  @Test func `a report says which implementations and contributions threw an error`() throws {
    struct Refused: Error {}
    let services = ServiceManager(onDiagnostic: problems.handler)
    let isRefused = Locked(true)
    services.register(Radio.self, scope: .shared) { () throws in
      if isRefused.withLock({ $0 }) { throw Refused() }
      return OtherRadio(name: "one")
    }
    services.register(Tuner.self) { DialTuner() }
    services.contribute(to: .mistakenRows) { () throws in
      if isRefused.withLock({ $0 }) { throw Refused() }
      return 1
    }
    services.contribute(to: .mistakenRows) { @MainActor in 2 }
    func told() -> [Substring] {
      services.report().description.split(separator: "\n").filter { $0.contains("(a creation failed: ") }
    }
    #expect(told().isEmpty)
    _ = (try? services.createService(for: Radio.self), try services.createService(for: Tuner.self))
    _ = try services.contributionResults(to: .mistakenRows)
    try #require(told().count == 3)
    #expect(told()[0].hasSuffix(", shared, priority 0 (a creation failed: Refused())"))
    #expect(told()[1].hasSuffix(", priority 0 (a creation failed: Refused())"))
    #expect(told()[2].hasSuffix(" (a creation failed: wrong-isolation)"))
    isRefused.withLock { $0 = false }
    _ = (try? services.createService(for: Radio.self), try services.contributionResults(to: .mistakenRows))
    #expect(told().count == 1)
  }

  @Test(arguments: [ServiceScope.shared, .cached("session"), .weak])
  func `a report forgets a failed creation when a later one succeeds`(scope: ServiceScope) throws {
    struct Refused: Error {}
    final class SmallRadio: Radio { let name = "small" }
    let services = ServiceManager(onDiagnostic: problems.handler)
    let isRefused = Locked(true)
    services.register(Radio.self, scope: scope) { () throws in
      if isRefused.withLock({ $0 }) { throw Refused() }
      return SmallRadio()
    }
    #expect((try? services.createService(for: Radio.self)) == nil)
    #expect(services.report().description.contains("(a creation failed: Refused())"))
    isRefused.withLock { $0 = false }
    _ = try services.createService(for: Radio.self)
    services.resetCache("session")
    #expect(!services.report().description.contains("(a creation failed"))
  }

  @Test func `a report says that a contribution was added after its point was used`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let expected = "priority 0, added after code last used the point; to follow changes, use 'contributionChanges(to:)'"
    func told() -> Int { services.report().description.ranges(of: expected).count }
    services.contribute(to: .mistakenRows) { 1 }
    #expect(told() == 0)
    _ = try services.contributions(to: .mistakenRows)
    #expect(told() == 0)
    services.contribute(to: .mistakenRows) { 2 }
    #expect(told() == 1)
    _ = try services.contributions(to: .mistakenRows)
    #expect(told() == 0)
    // Code uses the first contribution for a key.
    let keyed = ContributionPoint<[String: Int]>("tests.mistakes.keyed")
    for number in 1...2 { services.contribute(to: keyed, key: "a") { number } }
    _ = try services.contributions(to: keyed)
    #expect(told() == 0)
  }
  #endif

  // MARK: - Sources that select nothing

  @Test func `a filter that selects nothing is told by lookups and reports`() {
    let services = ServiceManager(records: .records { $0.typeName == "Transistor" }, onDiagnostic: problems.handler)
    let expected = "the filter of the manager's records selects 0 of "
    #expect(message(Radio.self, in: services).contains("'RegistryTests.Radio' was found, because \(expected)"))
    #expect(services.report().diagnostics.contains { $0.code == .noRecords && $0.message.contains(expected) })
    let images = ServiceManager(records: .images { $0.name == "libnone.so" }, onDiagnostic: problems.handler)
    #expect(message(Radio.self, in: images).contains(expected))
    // An image that is loaded later can have the records, so only a lookup that fails states it.
    #expect(!images.contains(Radio.self) && problems.diagnostics.isEmpty)
  }

  @Test func `a manager that selects records, or reads none, has no such problem`() {
    for source in [RecordSource.loadedImages, .none, .records { $0.name == "Radio" }] {
      let services = ServiceManager(records: source, onDiagnostic: problems.handler)
      #expect(!services.report().diagnostics.contains { $0.code == .noRecords })
    }
    #expect(message(Radio.self, in: ServiceManager()).contains("this manager reads no records; create it with"))
  }

  @Test func `a lookup says that a group, a filter, or a condition keeps an implementation back`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    #expect(
      message(Amplifier.self, in: services).contains(
        "belongs to the group 'tests.mistakes'; use a manager with 'records: .group(\"tests.mistakes\")'"))
    #expect(
      message(Tuner.self, in: services).contains(
        "exists only under the condition 'flag(tests.mistakes)', which does not hold"))
    for source in [RecordSource.group("tests.mistakes"), .records { $0.name == "Receiver" }] {
      let other = ServiceManager(records: source, onDiagnostic: problems.handler)
      #expect(
        message(Radio.self, in: other).contains(
          "the manager's records leave out the implementation in swift-section-registryPackageTests.xctest; pass"
            + " 'parent: .shared'"))
      let child = ServiceManager(parent: services, records: source, onDiagnostic: problems.handler)
      #expect(try child.createService(for: Radio.self).name == "transistor")
    }
    #expect(message(Unknown.self, in: services).contains("link the target"))
    #expect(!message(Tuner.self, in: services, named: "x").contains("under the condition"))
    // The condition says more than the filter of the child.
    let child = ServiceManager(parent: services, records: .group("tests.mistakes"), onDiagnostic: problems.handler)
    #expect(message(Tuner.self, in: child).contains("under the condition 'flag(tests.mistakes)'"))
  }

  // MARK: - Concrete types

  @Test func `a lookup of an exported type states its services`() {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let text = message(Transistor.self, in: services)
    #expect(text.hasPrefix("'RegistryTests.Transistor' is not a service, but 'RegistryTests.Transistor' ("))
    #expect(text.contains(" is exported as 'Radio'") && text.contains(" is exported as 'Receiver'"))
    #expect(text.hasSuffix("; look up one of these services [no-service]"))
    #expect(message(SatelliteDish.self, in: services).contains(" is exported as 'Antenna' named 'dish'; look up"))
    #expect(message(Recorder.self, in: services).contains("'RegistryTests.CassetteRecorder' ("))
    #expect(message(Recorder.self, in: services).contains("exported as 'Player'; look up"))
    #expect(message(OtherRadio.self, in: services).contains("link the target"))
    let child = ServiceManager(parent: services, records: .group("no such group"))
    #expect(message(Recorder.self, in: child).contains("exported as 'Player'; look up"), "the parent knows the reason")
  }

  // MARK: - Registrations

  @Test func `a second registration is told to pass replacing`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Radio.self) { OtherRadio(name: "one") }
    services.register(Radio.self) { OtherRadio(name: "two") }
    #expect(problems.codes == [.tie])
    #expect(problems.diagnostics[0].message.hasSuffix(", or register the second with 'replacing: true'"))
    services.register(Radio.self, replacing: true) { OtherRadio(name: "three") }
    #expect(try services.createService(for: Radio.self).name == "three" && problems.codes == [.tie])
  }

  @Test func `a line that registers again is told to cancel its token`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    for _ in 1...2 { services.register(Radio.self) { OtherRadio(name: "one") } }
    #expect(problems.codes == [.tie])
    #expect(
      problems.diagnostics[0].message.hasSuffix(
        " is registered again; cancel its token first, or pass 'replacing: true'"))
  }

  #if DEBUG
  @Test func `a lookup states that the shared manager has the service`() {
    let services = ServiceManager(records: .records { $0.name == "Radio" }, onDiagnostic: problems.handler)
    #expect(message(Unknown.self, in: services).contains("link the target"))
    let token = ServiceManager.shared.register(Unknown.self) { fatalError() }
    #expect(message(Unknown.self, in: services).contains("but 'ServiceManager.shared' has the factory at "))
    token.cancel()
    ServiceManager.shared.withTestScope {
      $0.override(Unknown.self) { fatalError() }
    } operation: {
      #expect(message(Unknown.self, in: services).contains("but 'ServiceManager.shared' has the override"))
    }
    #expect(message(Unknown.self, in: services).contains("link the target"))
  }

  @Test func `a lookup in a parent states that a child has the service`() {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    #expect(message(Unknown.self, in: parent).contains("this manager reads no records"))
    do {
      let child = ServiceManager(parent: parent)
      child.register(Unknown.self) { fatalError() }
      let text = withExtendedLifetime(child) { message(Unknown.self, in: parent) }
      #expect(text.contains("but code registered the factory at RegistryTests/MistakeTests.swift:"), "\(text)")
      #expect(text.contains(" in a child of it; register it in this manager, or look it up in the child"))
    }
    #expect(message(Unknown.self, in: parent).contains("this manager reads no records"))
    // The child keeps the instance, and so the implementation, after its removal.
    let child = ServiceManager(parent: parent)
    let token = child.register(Unknown.self, scope: .shared) { OtherUnknown() }
    #expect(message(Unknown.self, in: child).isEmpty)
    token.cancel()
    #expect(message(Unknown.self, in: parent).contains("this manager reads no records"))
  }

  @Test func `a lookup states that the service ended with a module`() {
    let services = ServiceManager(records: .none, onDiagnostic: problems.handler)
    let start = "no implementation of 'RegistryTests.Unknown' was found in this manager, but "
    var (owned, ownedInScope): (OwnedRegistrations?, OwnedRegistrations?)
    services.collecting(&owned).register(Unknown.self) { OtherUnknown() }
    #expect(message(Unknown.self, in: services).isEmpty)
    owned?.end()
    let ended = message(Unknown.self, in: services)
    #expect(ended.hasPrefix("\(start)the factory at RegistryTests/MistakeTests.swift:"), "\(ended)")
    #expect(ended.contains("ended with the module or handler that registered it"), "\(ended)")
    services.register(Unknown.self) { OtherUnknown() }.cancel()
    #expect(message(Unknown.self, in: services).contains("this manager reads no records"))
    // The end releases an object whose deinitializer removes another service.
    services.register(Gadget.self) { Widget("removed") }
    var owner: OwnedRegistrations?
    services.collecting(&owner).register(Unknown.self) {
      [object = Widget("released") { services.unregister(Gadget.self) }] in
      _ = object
      return OtherUnknown()
    }
    owner?.end()
    let removed = message(Gadget.self, in: services)
    #expect(removed.contains("this manager reads no records"), "\(removed)")
    // Code that removes a service knows, and a scope's registration says nothing about the manager.
    let other = ServiceManager(records: .none, onDiagnostic: problems.handler)
    other.register(Unknown.self) { OtherUnknown() }.cancel()
    other.withTestScope {
      other.collecting(&ownedInScope).register(Unknown.self) { OtherUnknown() }
      ownedInScope?.end()
    }
    #expect(message(Unknown.self, in: other).contains("this manager reads no records"))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a lookup states that a scope of another task overrides the service`() async {
    let services = ServiceManager(onDiagnostic: problems.handler)
    func textOutside() async -> String { await Task.detached { self.message(Unknown.self, in: services) }.value }
    await services.withOverrides {
      $0.override(Unknown.self) { fatalError() }
    } operation: {
      let text = await textOutside()
      #expect(text.contains("but the override at RegistryTests/MistakeTests.swift:"), "\(text)")
      #expect(text.contains(" applies only to the task of its scope and the tasks created there; carry the scope to"))
    }
    #expect(await textOutside().contains("this manager reads no records"))
  }

  @Test func `a C record that names a structure says so`() {
    let name = "RegistryTests.MistakeTests"
    #expect(ClassLookup.absence(of: name).hasPrefix("'\(name)' is a structure and not a class"))
    #expect(ClassLookup.absence(of: "RegistryTests.Nothing").hasPrefix("no loaded image contains a class"))
  }

  @Test func `a report states that a lookup failed before a registration`() {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let expected = "a lookup failed before code registered it"
    if services.core.absence(of: Radio.self, named: nil) != nil {
      services.register(Radio.self) { OtherRadio(name: "one") }
    }
    #expect(!services.report().description.contains(expected))
    #expect(message(Unknown.self, in: services) != "")
    services.register(Unknown.self) { fatalError() }
    #expect(services.report().description.ranges(of: expected).count == 1)
    // The failed lookup of another name is no mistake.
    services.register(Radio.self) { OtherRadio(name: "gift") }
    #expect(throws: ServiceError.self) { try services.createService(for: Radio.self, named: "gift") }
    #expect(services.report().description.ranges(of: expected).count == 1)
  }

  @Test func `a removal that removes nothing is told if a similar one would`() {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    let child = ServiceManager(parent: parent)
    parent.register(Radio.self, named: "gift") { OtherRadio(name: "gift") }
    parent.register(Unknown.self, scope: .cached("tests.session")) { fatalError() }
    for services in [parent, child] {
      services.unregister(Radio.self)
      services.unregister(Radio.self, named: "other")
      services.unregister(Tuner.self, named: "gift")
      services.resetCache("tests.other")
      services.resetCache("tests.session")
    }
    #expect(problems.diagnostics.isEmpty, "\(problems.diagnostics)")
    child.unregister(Radio.self, named: "gift")
    parent.unregister(Radio.self, named: "Gift")
    parent.unregister(Radio.self, named: "gft")
    parent.resetCache("tests.sesion")
    #expect(
      problems.diagnostics.map { $0.message.split(separator: "; ")[1] } == [
        "a parent manager has it, which lookups still use", "did you mean 'gift'?", "did you mean 'gift'?",
        "did you mean 'tests.session'?",
      ])
    // The parent hasn't read its records yet.
    let reader = ServiceManager(parent: ServiceManager(records: .loadedImages), onDiagnostic: problems.handler)
    reader.unregister(Radio.self)
    #expect(problems.diagnostics.last?.message.contains("a parent manager has it") == true)
  }

  @Test func `an override that no lookup used is told if the shared manager's instance was used`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    // The instance is in the lookup table before the scope begins.
    _ = try ServiceManager.shared.createService(for: Radio.self)
    try services.withOverrides {
      $0.override(Radio.self) { OtherRadio(name: "fake") }
    } operation: { () throws in
      _ = try ServiceManager.shared.createService(for: Radio.self)
    }
    let used = "lookups in another manager used 'RegistryTests.Transistor' ("
    #expect(problems.diagnostics.first?.message.contains(used) == true)
  }

  @Test(arguments: [true, false])
  func `an override that no lookup used is told if a live implementation was used instead`(isTest: Bool) throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Radio.self, named: "card") { OtherRadio(name: "live") }
    services.register(Tuner.self) { DialTuner() }
    let other = ServiceManager(onDiagnostic: problems.handler)
    other.register(Radio.self) { OtherRadio(name: "other") }
    func run(_ isTest: Bool, named name: String?, _ operation: () throws -> Void) throws -> [String] {
      let count = problems.diagnostics.count
      func override(_ overrides: inout ServiceOverrides) {
        overrides.override(Radio.self, named: name) { OtherRadio(name: "fake") }
      }
      if isTest {
        try services.withTestScope(.lenient, overrides: override, operation: operation)
      } else {
        try services.withOverrides(override, operation: operation)
      }
      let told = problems.diagnostics.dropFirst(count)
      #expect(told.allSatisfy { $0.code == .liveService && $0.message.hasPrefix("no lookup used the override at ") })
      return told.map(\.message)
    }
    do {
      // A misspelled name, and a manager that the code does not use.
      let misspelled = try run(isTest, named: "crad") { () throws in
        #expect(try services.createService(for: Radio.self, named: "card").name == "live")
      }
      #expect(misspelled.count == 1 && misspelled[0].contains("no implementation has the name 'crad', and a"))
      let elsewhere = try run(isTest, named: nil) { () throws in
        #expect(try other.createService(for: Radio.self).name == "other")
      }
      #expect(elsewhere.count == 1 && elsewhere[0].contains("lookups in another manager used the factory at "))
      // Correct tests: overrides that are used in each way, or that the test does not need.
      let correct: [(String?, () throws -> Void)] = [
        ("card", { _ = try services.createService(for: Radio.self, named: "card") }),
        (nil, { _ = try services.createServices(for: Radio.self) }),
        (nil, { #expect(services.contains(Radio.self)) }),
        ("crad", { #expect(services.contains(Radio.self, named: "card")) }),
        (nil, { _ = try ServiceManager(parent: services).createService(for: Radio.self) }),
        ("crad", { _ = try services.createService(for: Tuner.self) }),
        ("card", { services.register(Radio.self) { OtherRadio(name: "") } }),
        (
          nil,
          {
            let own = ServiceManager()
            own.register(Radio.self) { OtherRadio(name: "own") }
            _ = try own.createService(for: Radio.self)
          }
        ),
        (nil, { _ = try other.withTestScope { try other.createService(for: Tuner.self, named: "x") } }),
      ]
      for (name, operation) in correct {
        let told = try run(isTest, named: name) { try? operation() }
        #expect(told == [])
      }
    }
  }

  @Test func `an override without a name is told if a strict scope withheld an implementation with one`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Radio.self, named: "card") { OtherRadio(name: "live") }
    services.withTestScope(.strict) {
      $0.override(Radio.self) { OtherRadio(name: "fake") }
    } operation: {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: Radio.self, named: "card") }
      #expect(error?.code == .liveService)
    }
    let message = problems.diagnostics.first?.message ?? ""
    #expect(message.contains(", and every implementation has a name, and a lookup asked for the factory at "))
    #expect(message.hasSuffix(", which has the name 'card'; correct 'named:'"), "\(message)")
  }

  @Test(arguments: [true, false])
  func `an override that a property hides with an instance from outside the scope is told`(isTest: Bool) {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Radio.self) { OtherRadio(name: "live") }
    services.register(Tuner.self) { DialTuner() }
    func run(_ operation: () -> Void) {
      func override(_ overrides: inout ServiceOverrides) {
        overrides.override(Radio.self) { OtherRadio(name: "fake") }
        overrides.override(Tuner.self) { DialTuner() }
      }
      if isTest {
        services.withTestScope(.lenient, overrides: override, operation: operation)
      } else {
        services.withOverrides(override, operation: operation)
      }
    }
    // Correct tests: an object that is created in the scope or first used there, also in an inner
    // scope of another service, and a test that looks the service up as well.
    let (new, old) = (RadioShelf(services: services), RadioShelf(services: services))
    run {
      for shelf in [new, RadioShelf(services: services), new] { #expect(shelf.radio.name == "fake") }
      services.withOverrides {
        $0.override(Amplifier.self) { TubeAmplifier() }
      } operation: {
        #expect(new.radio.name == "fake")
      }
    }
    #expect(old.radio.name == "live" && old.tuner != nil)
    run {
      _ = (old.radio, old.tuner, try? services.createServices(for: Radio.self), RadioShelf(services: services).tuner)
    }
    #expect(problems.diagnostics.isEmpty)
    // An override inside the scope in which the property cached its instance.
    let outer = RadioShelf(services: services)
    run {
      _ = outer.radio
      run { _ = outer.radio }
    }
    #expect(problems.diagnostics.map(\.subject) == ["RegistryTests.Radio"])
    run { _ = old.tuner }
    #expect(problems.diagnostics.map(\.subject) == ["RegistryTests.Radio", "RegistryTests.Tuner"])
    #expect(
      problems.diagnostics.allSatisfy {
        $0.code == .liveService
          && $0.message.hasPrefix("no lookup used the override at RegistryTests/MistakeTests.swift:")
          && $0.message.contains(
            ", and a property with 'cached: true' kept an instance from outside the scope; create")
      })
  }
  #endif

  @Test func `a report states how a registration beside an exported implementation is used`() {
    let services = ServiceManager(records: .records { $0.name == "Radio" }, onDiagnostic: problems.handler)
    services.register(Radio.self) { OtherRadio(name: "mine") }
    #expect(
      services.report().description.contains(
        "it was registered after the selected one existed; register it in code with 'replacing: true' to use it"))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a report states that each lookup creates an actor`() {
    let services = ServiceManager(records: .records { $0.name == "Antenna" }, onDiagnostic: problems.handler)
    let lines = services.report().description.split(separator: "\n").filter { $0.contains("another actor") }
    #expect(lines.count == 1 && lines[0].contains("transient (another actor for each lookup; pass"))
  }

  @Test func `several implementations have their names`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Radio.self, priority: 1) { OtherRadio(name: "plain") }
    services.register(Radio.self, named: "car") { OtherRadio(name: "driving") }
    let radios = try services.createNamedServices(for: Radio.self)
    #expect(radios.map(\.name) == [nil, "car"] && radios.map(\.service.name) == ["plain", "driving"])
    #expect(try services.createNamedServices(for: Gadget.self).isEmpty)
    services.register(Unshared.self, named: "own") { Alone() }
    #expect(try services.createNamedServices(for: Unshared.self).map(\.name) == ["own"])
  }

  // MARK: - Flags

  @Test func `a flag that no record has, and one that is set too late`() {
    let services = ServiceManager(records: .records { $0.name == "Antenna" }, onDiagnostic: problems.handler)
    services.conditions = [.flag("long-wafe")]
    let unknown = services.report().diagnostics.filter { $0.code == .unknownFlag }
    #expect(unknown.map(\.subject) == ["long-wafe"])
    #expect(unknown.first?.message.hasSuffix("; did you mean 'long-wave'?") == true)
    #expect(!services.contains(Antenna.self) && problems.diagnostics.isEmpty)
    services.conditions = [.flag("long-wave")]
    #expect(problems.codes == [.lateCondition])
    #expect(
      problems.diagnostics.first?.message == "the condition 'flag(long-wave)' was evaluated when 'Antenna' was first"
        + " used, so the implementation is still ignored; set the conditions before its first lookup or registration")
    #expect(!services.report().diagnostics.contains { $0.code == .unknownFlag })
    // A contribution and a record of a group have these conditions.
    let others = ServiceManager(onDiagnostic: problems.handler)
    others.conditions = [.flag("winter"), .flag("tests.night")]
    #expect(others.report().diagnostics.filter { $0.code == .unknownFlag }.map(\.subject) == [])
  }

  #if DEBUG
  @Test func `a condition that depends on the build, which code sets`() {
    let services = ServiceManager(records: .records { _ in false }, onDiagnostic: problems.handler)
    services.conditions = [.flag("a"), .debug]
    #expect(problems.codes == [.lateCondition] && services.conditions == [.flag("a")])
    #expect(
      problems.diagnostics.first?.message == "setting 'debug' has no effect, because the build of the exporting module"
        + " decides; set a flag instead, as in 'conditions.insert(.flag(\"name\"))'")
    services.conditions.insert(.release)
    #expect(problems.diagnostics.count == 2)
  }

  @Test func `a contribution point without an identifier stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ContributionPoint<[Int]>("")
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("a contribution point needs an identifier, such as 'shop.menu'"))
  }
  #endif

  @Test func `conditions are silent unless they change a condition that was evaluated`() {
    let services = ServiceManager(records: .records { $0.name == "Antenna" }, onDiagnostic: problems.handler)
    services.conditions = [.flag("long-wave")]
    #expect(services.contains(Antenna.self))
    services.conditions = [.flag("long-wave"), .preview]
    services.withTestScope { services.conditions = [] }
    #expect(problems.diagnostics.isEmpty)
    services.conditions = []
    #expect(problems.codes == [.lateCondition])
    #expect(problems.diagnostics.first?.message.contains(", so the implementation is still used; set the") == true)
  }

  // MARK: - Strict scopes

  @Test func `a strict scope that overrides another name states that name`() {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Radio.self) { OtherRadio(name: "live") }
    services.withTestScope(.strict) {
      $0.override(Radio.self, named: "car") { OtherRadio(name: "fake") }
    } operation: {
      #expect(
        message(Radio.self, in: services).hasPrefix(
          "'RegistryTests.Radio' is neither overridden nor allowed in a strict test scope, which provides it only with"
            + " the name 'car'; override it with"))
    }
    services.withTestScope(.strict) {
      $0.override(Radio.self) { OtherRadio(name: "fake") }
    } operation: {
      #expect(message(Radio.self, in: services, named: "car").contains("which provides it only without a name, "))
      #expect(message(Antenna.self, in: services).contains("in a strict test scope, and nothing implements it"))
    }
  }
}

extension LateImageTests {
  @Test func `a manager whose records all belong to groups says so`() {
    var scan = ImageCatalog.scan()
    scan.all = scan.images.map {
      CatalogedImage($0.image, [], grouped: $0.grouped, [], base: 0, load: 0, hasLibrary: true)
    }
    scan.images = []
    var feed = RecordFeed(.loadedImages)
    _ = feed.update(scan)
    let start = "every loaded record belongs to a group; read a group with 'records: .group(\""
    #expect(feed.problem?.hasPrefix(start) == true, "\(feed.problem ?? "")")
  }

  @Test func `a group with a typo`() throws {
    let object = try SharedObject(
      """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock, group(document))
      """, name: "typo")
    try object.open()
    defer { object.close() }
    let services = ServiceManager(records: .group("documnet"), onDiagnostic: problems.handler)
    let error = #expect(throws: ServiceError.self) { try services.createService(for: LateClock.self) }
    let reason = "because no loaded record belongs to the group 'documnet'; did you mean 'document'? ["
    #expect(error?.description.contains(reason) == true)
    #expect(problems.diagnostics.isEmpty)
  }
}
