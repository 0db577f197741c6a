import Registry
import RegistryC

extension ModuleRegistry {
  /// - Parameter reportsProblems: A Boolean value that indicates whether to report malformed
  ///   sections.
  func add(_ images: [CatalogedImage], reportsProblems: Bool) {
    var (count, named) = (0, 0)
    for cataloged in images {
      let records = cataloged.records
      for index in records.indices where records[index].kind == .module || records[index].kind == .handler {
        count += 1
        if !records[index].hasAccessor { named += 1 }
      }
    }
    reserveCapacity(count)
    // For a few names, asking the runtime is faster than a pass over all conformances.
    let classes = named > 8 ? NamedModuleClasses() : nil
    var providers: Providers?
    for cataloged in images {
      if reportsProblems { log.report(cataloged.problems) }
      // Loop over indices to avoid retaining records of other kinds.
      let records = cataloged.records
      for index in records.indices {
        var entry: ModuleEntry?
        switch records[index].kind {
        case .module: entry = moduleEntry(records[index], moduleNames(images), &providers, classes)
        case .handler: entry = handlerEntry(records[index])
        default: continue
        }
        if let entry { insertOrLeaveOut(entry) }
      }
    }
  }

  private func insertOrLeaveOut(_ entry: ModuleEntry) {
    if !insert(entry) { leftOut.append(entry) }
  }

  /// Tries again to add the modules that were left out, such as modules whose class was missing.
  func retryLeftOut() {
    let entries = leftOut
    leftOut = []
    for entry in entries { insertOrLeaveOut(entry) }
  }

  func imageLeavingOut(_ name: String) -> LoadedImage? { leftOut.first { $0.name == name }?.image }

  /// Returns the entries of types that were passed to the manager, with the attributes from their
  /// records, if any. Unknown names in `after` are not reported for these entries.
  func entries(of modules: [any Module.Type]) -> [ModuleEntry] {
    guard !modules.isEmpty else { return [] }
    var records: [ObjectIdentifier: ExportedRecord] = [:]
    for record in RecordSource.records(where: { _ in true }).records(of: .module) {
      if let type = record.servedType { records[ObjectIdentifier(type)] = record }
    }
    let names = Set(of: modules.map { recordName(of: $0) })
    var providers: Providers?
    var entries: [ModuleEntry] = []
    for module in modules {
      let source = ModuleEntry.Source.type(module, location: "the initializer of the manager")
      let exported = records[ObjectIdentifier(module)].flatMap { moduleEntry($0, names, &providers, given: source) }
      let entry =
        exported
        ?? ModuleEntry(attributes: ModuleAttributes(module: recordName(of: module)), image: nil, source: source)
      for name in entry.attributes.after { _ = entry.isNewProblem(.unknownAfter, name) }
      entries.append(entry)
    }
    return entries
  }

  /// - Parameters:
  ///   - names: The names of all modules.
  ///   - providers: The providers of needs; nil until the first module with `afterNeeds`.
  ///   - classes: The classes that were found in advance.
  ///   - given: The source of a type that was passed to the manager; nil for a module in the
  ///     manager's records.
  private func moduleEntry(
    _ record: ExportedRecord, _ names: @autoclosure () -> Set<String>, _ providers: inout Providers?,
    _ classes: NamedModuleClasses? = nil, given: ModuleEntry.Source? = nil
  ) -> ModuleEntry? {
    do throws(JSONError) {
      // Not `map`, whose closure would check the executor.
      var source = given ?? .named()
      if given == nil, let accessor = record.accessor { source = .accessor(accessor) }
      var attributes = try ModuleAttributes(of: record)
      if !attributes.afterTypes.isEmpty {
        // A record without an accessor contains the types only as text.
        if let types = record.accessor.flatMap(precedingModules) {
          attributes.follow(types)
        } else {
          attributes.after += attributes.afterTypes.map(\.recordForm)
        }
      }
      if attributes.afterNeeds {
        let known = providers ?? self.providers(names())
        providers = known
        for name in known(attributes.module) where !attributes.after.contains(name) {
          attributes.after.append(name)
        }
      }
      if given == nil, !record.hasAccessor, let type = classes?.type(named: attributes.module) { source = .named(type) }
      return ModuleEntry(attributes: consume attributes, image: given == nil ? record.image : nil, source: source)
    } catch {
      log.report(.malformed(record, "\(error)"))
      return nil
    }
  }

  private func moduleNames(_ images: [CatalogedImage]) -> Set<String> {
    var names = Set(of: entries.names)
    for cataloged in images {
      for record in cataloged.records where record.kind == .module {
        // Prefer the type from the accessor, because its name can differ from the recorded name.
        let name = record.servedType.map { recordName(of: $0) } ?? record.typeName?.recordForm
        if let name { names.add(name) }
      }
    }
    return names
  }

  private func precedingModules(_ accessor: RecordAccessor) -> [any Module.Type]? {
    var preceding = __PrecedingModules(types: [])
    // The accessor overwrites the empty array, which owns no memory.
    let type = unsafeBitCast(__PrecedingModules.self as Any.Type, to: UnsafeRawPointer.self)
    let isProvided = withUnsafeMutablePointer(to: &preceding) { accessor(UnsafeMutableRawPointer($0), type, 0) }
    return isProvided ? preceding.types : nil
  }

  private func handlerEntry(_ record: ExportedRecord) -> ModuleEntry? {
    do throws(JSONError) {
      let attributes = try record.withJSON { bytes throws(JSONError) in try HandlerAttributes(bytes) }
      guard let accessor = record.accessor else {
        if let problem = record.kind.problemWithoutAccessor { log.report(.malformed(record, problem)) }
        return nil
      }
      let handlers = __EventHandlers()
      if let provider: __HandlerProvider = provided(by: accessor) { provider.subscribe(handlers) }
      guard handlers.handlers.count == 1 else {
        log.report(.refused(record, attributes.handler, "handler"))
        return nil
      }
      let entry = handlerEntry(
        handlers.handlers[0], named: attributes.handler, priority: attributes.priority, once: attributes.once,
        image: record.image)
      if entry.name != attributes.handler, let other = entries.any(named: attributes.handler),
        let image = otherImage(of: entry, other)
      {
        log.report(entry.diagnostic(.warning, .duplicate, Self.sharedHandler("\(image)")))
      }
      return entry
    } catch {
      log.report(.malformed(record, "\(error)"))
      return nil
    }
  }

  /// Returns the entry of a handler, with a unique name. Code at one source location can add
  /// several handlers, and several images can contain the code.
  ///
  /// - Parameters:
  ///   - image: The image that exports the handler, or nil for a handler that code added.
  ///   - owner: The registrations of the module or handler that added the handler.
  func handlerEntry(
    _ handler: EventHandler, named name: String, priority: Int, once: Bool, image: LoadedImage? = nil,
    owner: OwnedRegistrations? = nil
  ) -> ModuleEntry {
    var unique = name
    var number = handlerCounts[name, default: 1]
    // Names decide between equal priorities, so don't reuse the first handler's name after that
    // handler is removed. Otherwise, the new handler would precede the other handlers.
    while number > 1 && unique == name || entries.any(named: unique) != nil {
      number += 1
      handlerCounts[name, default: 1] = number
      unique = "\(name)#\(number)"
    }
    let entry = ModuleEntry(
      attributes: ModuleAttributes(module: unique, priority: priority), image: image,
      source: .handler(once ? handler.calledOnce() : handler, owner: owner))
    entry.runsOnce = once
    return entry
  }
}

/// The classes that conform to `Module`, found without the Swift runtime, whose search takes 40
/// microseconds for each name.
///
/// Nested classes, and classes that inherit the conformance, are missing, because only the runtime
/// finds them.
struct NamedModuleClasses {
  private(set) var names = NameTable()
  private var conformances: [registry_conformance] = []

  init() {
    let type = unsafeBitCast((any Module).self as Any.Type, to: UnsafeRawPointer.self)
    guard let module = registry_protocol(type) else { return }
    withUnsafeMutablePointer(to: &self) { classes in
      registry_classes_conforming(module, nil, classes) { context, name, conformance in
        let classes = context.assumingMemoryBound(to: NamedModuleClasses.self)
        // Keep the class of the first image, as the runtime does.
        if classes.pointee.names.add(HashedName(String(cString: name))) == nil {
          classes.pointee.conformances.append(conformance)
        }
      }
    }
  }

  func type(named name: String) -> (any Module.Type)? {
    guard let conformance = names.position(of: HashedName(name)).map({ conformances[$0] }) else { return nil }
    // An existential metatype consists of pointers to the class's metadata and its witness table.
    return unsafeBitCast(
      (registry_class_metadata(conformance.descriptor), conformance.witness_table), to: (any Module.Type).self)
  }
}
