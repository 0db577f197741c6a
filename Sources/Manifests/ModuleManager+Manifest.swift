public import Lifecycle
import Registry

extension ModuleManager {
  /// Adds what a manifest lists: its settings first, then its services to ``Context/services``, then its modules.
  ///
  /// ```swift
  /// modules.load(try Manifest(contentsOf: url))
  /// ```
  ///
  /// Before the start or after it; modules are set up with all others, or at once in their order. What is exported, or was registered
  /// before, stays: a module of the same name is reported and left out, services come after those that are there. Classes and protocols
  /// are found by their names, in images that are open. An entry that cannot be used is reported to ``onDiagnostic`` with its
  /// location in the file, what is expected, and how to fix it, and stops no other.
  ///
  /// - Parameter swiftModules: Where to look for classes and protocols that the manifest names without a module, as BeeHive's and Ant's
  ///   files do.
  /// - Returns: What came of it. Nothing in it needs to be looked at: all problems were reported.
  @discardableResult
  public func load(_ manifest: Manifest, classesIn swiftModules: [String] = []) -> ManifestReport {
    var load = ManifestLoad(manager: self, manifest: manifest, swiftModules: swiftModules)
    // What is exported comes first, as it does at the start.
    load.knownModules = knownModules
    applyConfiguration(manifest, replacing: nil)
    load.report.configuration = manifest.configuration.keys.sorted()
    for entry in manifest.services { load.add(entry) }
    let added = manifest.modules.compactMap { load.add($0) }
    for name in added {
      if setUp(named: name) { load.report.modules.append(name) } else { load.report.leftOut.append(name) }
    }
    for problem in load.report.problems { report(problem.diagnostic) }
    return load.report
  }

  /// Takes a manifest's settings once more, as when its file has changed: those that are gone from it go, in one change.
  ///
  /// - Parameters:
  ///   - manifest: As it is now. Its modules and services are not looked at.
  ///   - old: As it was loaded.
  public func reloadConfiguration(of manifest: Manifest, replacing old: Manifest) {
    applyConfiguration(manifest, replacing: old)
  }

  private func applyConfiguration(_ manifest: Manifest, replacing old: Manifest?) {
    var configuration = context.configuration
    for name in old?.configuration.keys.sorted() ?? [] where manifest.configuration[name] == nil {
      configuration[named: name] = nil
    }
    for (name, value) in manifest.configuration
    where old?.configuration[name] != value || configuration[named: name] != value {
      configuration[named: name] = value
    }
    context.configuration = configuration
  }
}

/// A manifest that is being loaded.
@MainActor private struct ManifestLoad {
  let manager: ModuleManager
  let manifest: Manifest
  let swiftModules: [String]
  var knownModules: [String] = []
  var report: ManifestReport

  init(manager: ModuleManager, manifest: Manifest, swiftModules: [String]) {
    self.manager = manager
    self.manifest = manifest
    self.swiftModules = swiftModules
    report = ManifestReport()
    report.problems = manifest.problems
  }

  private mutating func add(_ location: String, _ message: String) {
    report.problems.append(
      ManifestProblem(file: manifest.name, location: location, message: "\(message); the entry is left out"))
  }

  /// Adds a module, which is then to be set up.
  mutating func add(_ entry: Manifest.ModuleEntry) -> String? {
    let key =
      entry.location.hasPrefix("modules[") ? ".module" : entry.location.hasPrefix("Modules[") ? "" : ".moduleClass"
    guard let (name, type) = find(entry.name, ClassLookup.type) else {
      add(
        entry.location + key,
        "no loaded image has a class \"\(entry.name.escapedForDisplay())\"\(hint(entry.name, among: knownModules))")
      return nil
    }
    // Whether and how one of Objective-C's is a module the manager finds out.
    guard type is any Module.Type || ClassLookup.objectiveCClass(named: name)?.isSwift == false else {
      add(entry.location + key, "the class \(name) is no module: let it conform to Lifecycle.Module")
      return nil
    }
    let isNew = manager.add(
      named: name, level: entry.level, priority: entry.priority, after: entry.after, activation: entry.activation,
      initialization: entry.initialization, replaysMissedPhases: entry.replaysMissedPhases)
    guard isNew else {
      // The manager said why: it has one of that name.
      report.leftOut.append(name)
      return nil
    }
    return name
  }

  mutating func add(_ entry: Manifest.ServiceEntry) {
    let isOwn = entry.location.hasPrefix("services[")
    let services = manager.context.services
    let service = find(entry.service) { ClassLookup.existential(named: $0) ?? ClassLookup.type(named: $0) }
    if service == nil {
      add(
        entry.location + (isOwn ? ".protocol" : ".service"),
        "no loaded image has a protocol \"\(entry.service.escapedForDisplay())\""
          + hint(entry.service, among: services.knownServices))
    }
    let implementation = find(entry.implementation, ClassLookup.type)
    let key = isOwn ? ".class" : ".impl"
    guard let implementation else {
      return add(
        entry.location + key,
        "no loaded image has a class \"\(entry.implementation.escapedForDisplay())\""
          + hint(entry.implementation, among: []))
    }
    do throws(NamedClass.Problem) {
      _ = try NamedClass.find(implementation.name, implementation.type)
    } catch {
      return add(
        entry.location + key,
        "the class \(implementation.name) can not be made by its name: let it conform to Registry.NamedExport, or to"
          + " Registry.MainActorNamedExport if it is a class of the main actor")
    }
    guard let service else { return }
    report.services.append(
      services.register(
        service: service.name, class: implementation.name, scope: entry.scope, named: entry.name,
        priority: entry.priority))
  }

  /// The type with a name; one without a module is looked for in those that were said.
  private func find(_ name: String, _ lookUp: (String) -> Any.Type?) -> (name: String, type: Any.Type)? {
    if let type = lookUp(name) {
      // Of Objective-C's own classes that is the name; a Swift class may have it beside its own.
      let isOwn = ClassLookup.objectiveCClass(named: name)?.isSwift == false
      return (isOwn ? name : recordName(of: type), type)
    }
    guard !name.contains(".") else { return nil }
    for module in swiftModules {
      if let type = lookUp("\(module).\(name)") { return (recordName(of: type), type) }
    }
    return nil
  }

  /// The way out for a name that nobody has.
  private func hint(_ name: String, among known: [String]) -> String {
    let known = known.sorted()
    if let other = known.first(where: { $0.hasSuffix(".\(name)") }) ?? name.nearest(in: known) {
      return "; is \"\(other.escapedForDisplay())\" meant?"
    }
    if !name.contains(".") {
      return "; it is spelt Module.Name: write it so, or say in which module it is, load(_:classesIn:)"
    }
    return "; it is spelt Module.Name, and the image that has it must be open before the manifest is loaded"
  }
}
