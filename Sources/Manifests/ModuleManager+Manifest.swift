public import Lifecycle
import Registry

extension ModuleManager {
  /// Adds the contents of a manifest: settings, then services, then modules.
  ///
  /// ```swift
  /// modules.load(try Manifest(contentsOf: url))
  /// ```
  ///
  /// The method adds services to ``/Lifecycle/Context/services``, ordered as if code registered
  /// them. If you load a manifest before the start, its modules are set up with all other modules.
  /// After the start, they're set up immediately, in module order, unless an entry delays that. A
  /// module with the name or the class of an existing module is reported and ignored. Classes and
  /// protocols are looked up by name in loaded images. An invalid entry doesn't affect the other
  /// entries. It's reported to ``/Lifecycle/ModuleManager/onDiagnostic`` with its location in the
  /// file and, in most cases, the fix.
  ///
  /// - Parameters:
  ///   - manifest: The manifest to load.
  ///   - swiftModules: The Swift modules to search for classes and protocols that the manifest
  ///     names without a module, as BeeHive and Ant files do.
  /// - Returns: The result. You can ignore it, because all problems are reported.
  @discardableResult
  public func load(_ manifest: Manifest, searching swiftModules: [String] = []) -> ManifestReport {
    // `knownModules` scans for images, so an exported module takes precedence over an entry for it.
    var load = ManifestLoad(manager: self, manifest: manifest, swiftModules: swiftModules, knownModules: knownModules)
    load.report.problems = manifest.problems
    applyConfiguration(manifest, replacing: nil)
    load.report.settingCount = manifest.configuration.count
    for entry in manifest.services { load.add(entry) }
    let added = manifest.modules.compactMap { load.add($0) }
    for name in added {
      if setUp(named: name) { load.report.modules.append(name) } else { load.report.skippedModules.append(name) }
    }
    for problem in load.report.problems { report(problem.diagnostic) }
    return load.report
  }

  /// Reloads the settings of a manifest, for example after its file changes.
  ///
  /// The settings change immediately. Settings that only `old` contains are removed. Problems that
  /// reading the new manifest found are reported, as when it is loaded.
  ///
  /// - Parameters:
  ///   - manifest: The new manifest, whose modules and services are ignored.
  ///   - old: The previously loaded manifest.
  public func reloadConfiguration(of manifest: Manifest, replacing old: Manifest) {
    applyConfiguration(manifest, replacing: old)
    for problem in manifest.problems { report(problem.diagnostic) }
  }

  private func applyConfiguration(_ manifest: Manifest, replacing old: Manifest?) {
    var configuration = context.configuration
    for name in old?.configuration.keys.sorted() ?? [] where manifest.configuration[name] == nil {
      configuration[named: name] = nil
    }
    for (name, value) in manifest.configuration
    where old?.configuration[name] != value || configuration.given[name] != value {
      configuration[named: name] = value
    }
    context.configuration = configuration
  }
}

@MainActor private struct ManifestLoad {
  let manager: ModuleManager
  let manifest: Manifest
  let swiftModules: [String]
  let knownModules: [String]
  var report = ManifestReport()

  private mutating func add(_ location: String, _ message: String, hint: String) {
    report.problems.append(
      ManifestProblem(file: manifest.name, location: location, message: "\(message); the entry is ignored; \(hint)"))
  }

  mutating func add(_ entry: Manifest.ModuleEntry) -> String? {
    let known = knownModules
    let found = find("class", entry.attributes.module, entry.nameLocation, among: known, ClassLookup.type)
    guard let (name, type) = found else { return nil }
    // The manager determines whether an Objective-C class is a module.
    guard type is any Module.Type || ClassLookup.objectiveCClass(named: name)?.isSwift == false else {
      add(
        entry.nameLocation, "the class '\(name)' does not conform to 'Lifecycle.Module'", hint: "add the conformance")
      return nil
    }
    var attributes = entry.attributes
    attributes.module = name.recordForm
    attributes.after = attributes.after.map { lookUp($0, ClassLookup.type)?.name.recordForm ?? $0 }
    guard manager.add(attributes, location: "\(manifest.name): \(entry.location)") else {
      // The manager has reported the reason, such as another module with the same name.
      report.skippedModules.append(name)
      return nil
    }
    return name
  }

  mutating func add(_ entry: Manifest.ServiceEntry) {
    let services = manager.context.permanentServices
    let service = find(
      "protocol", entry.service, entry.serviceLocation, among: services.knownServices
    ) { ClassLookup.existential(named: $0) ?? ClassLookup.type(named: $0) }
    let location = entry.implementationLocation
    guard let implementation = find("class", entry.implementation, location, among: [], ClassLookup.type) else {
      return
    }
    guard (try? NamedClass.find(implementation.name, implementation.type)) != nil else {
      return add(
        location, "the class '\(implementation.name)' cannot be created by its name",
        hint: "add a conformance to 'Registry.NamedExport', or to 'Registry.MainActorNamedExport' if the class is"
          + " isolated to the main actor")
    }
    guard let service else { return }
    report.services.append(
      services.register(
        service: service.name, class: implementation.name, scope: entry.scope, named: entry.name,
        priority: entry.priority, location: "\(manifest.name): \(entry.location)"))
  }

  /// Returns a type and its name in records. A name without a module is looked up in
  /// `swiftModules`, too.
  private func lookUp(_ name: String, _ type: (String) -> Any.Type?) -> (name: String, type: Any.Type)? {
    if let type = type(name) {
      // A Swift class can be found by a second name, so return the name that records use.
      let isOwn = ClassLookup.objectiveCClass(named: name)?.isSwift == false
      return (isOwn ? name : recordName(of: type), type)
    }
    for module in name.contains(".") ? [] : swiftModules {
      if let type = type("\(module).\(name)") { return (recordName(of: type), type) }
    }
    return nil
  }

  /// Returns a type and its name in records, or reports that no type of the kind has this name.
  private mutating func find(
    _ kind: String, _ name: String, _ location: String, among known: @autoclosure () -> [String],
    _ type: (String) -> Any.Type?
  ) -> (name: String, type: Any.Type)? {
    if let found = lookUp(name, type) { return found }
    let kinds = [("V", "a structure"), ("O", "an enumeration"), ("C", "a class"), ("_p", "a protocol")]
    if let other = kinds.first(where: { ClassLookup.type(named: name, ending: $0.0) != nil }) {
      add(
        location, "\(name.quotedForDisplay()) is \(other.1) and not a \(kind)",
        hint: "name a \(kind), or register the \(kind == "class" ? "type" : "service") in code")
      return nil
    }
    add(
      location, "no loaded image contains a \(kind) named '\(name.escapedForDisplay())'",
      hint: hint(name, among: known()))
    return nil
  }

  private func hint(_ name: String, among known: [String]) -> String {
    let known = known.sorted()
    if let other = name.nearest(in: known) {
      return "did you mean '\(other.escapedForDisplay())'?"
    }
    if !name.contains(".") {
      return "write the name as 'Module.Name', or pass the module to 'load(_:searching:)'"
    }
    return "correct the name, or open the image that contains it before you load the manifest"
  }
}
