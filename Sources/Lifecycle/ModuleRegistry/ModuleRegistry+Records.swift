import Registry

extension ModuleRegistry {
  /// Adds the modules and handlers of images.
  ///
  /// - Parameters:
  ///   - images: The images.
  ///   - reportsProblems: A Boolean value that indicates whether to report malformed sections.
  ///   - providers: A closure that returns the names of the modules, among some, that provide what
  ///     the feature of a module needs.
  ///   - consume: A closure that receives a handler that runs once, when the handler is called.
  func add(
    _ images: [CatalogedImage], reportsProblems: Bool,
    providers: @MainActor (_ module: String, _ names: Set<String>) -> [String],
    consume: @escaping @MainActor (ModuleEntry) -> Void
  ) {
    var count = 0
    for cataloged in images { for record in cataloged.records where isModuleOrHandler(record) { count += 1 } }
    reserveCapacity(count)
    // The names of all modules, which only a module with `afterNeeds` needs. The accessor returns
    // the type, whose name can differ from the name in the record.
    lazy var names = Set(
      images.flatMap(\.records).filter { $0.kind == .module }.compactMap { record in
        record.servedType.map { recordName(of: $0) } ?? record.typeName?.recordForm
      }
    ).union(entries.names)
    for cataloged in images {
      if reportsProblems { log.report(cataloged.problems) }
      for record in cataloged.records where isModuleOrHandler(record) {
        let entry =
          record.kind == .module ? moduleEntry(record) { providers($0, names) } : handlerEntry(record, consume)
        if let entry { insertOrLeaveOut(entry) }
      }
    }
  }

  private func isModuleOrHandler(_ record: ExportedRecord) -> Bool {
    record.kind == .module || record.kind == .handler
  }

  private func insertOrLeaveOut(_ entry: ModuleEntry) {
    if !insert(entry) { leftOut.append(entry) }
  }

  /// Adds the modules again that could not be added before images were loaded or unloaded.
  ///
  /// Their name was in use, or their class was missing.
  func retryLeftOut() {
    let entries = leftOut
    leftOut = []
    for entry in entries { insertOrLeaveOut(entry) }
  }

  /// Returns the image of a module that cannot be used or that duplicates another one.
  func imageLeavingOut(_ name: String) -> LoadedImage? { leftOut.first { $0.name == name }?.image }

  private func moduleEntry(_ record: ExportedRecord, providers: (_ module: String) -> [String]) -> ModuleEntry? {
    do throws(JSONError) {
      let source: ModuleEntry.Source = if let accessor = record.accessor { .accessor(accessor) } else { .named }
      var attributes = try ModuleAttributes(of: record)
      if !attributes.afterTypes.isEmpty {
        // A record without an accessor contains only the text, which the compiler has not checked.
        if let types = record.accessor.flatMap(precedingModules) {
          attributes.follow(types)
        } else {
          attributes.after += attributes.afterTypes.map(\.recordForm)
        }
      }
      if attributes.afterNeeds {
        let derived = providers(attributes.module)
        attributes.after += derived.filter { !attributes.after.contains($0) }
      }
      return ModuleEntry(attributes: attributes, image: record.image, source: source)
    } catch {
      reportMalformed(record, "\(error)")
      return nil
    }
  }

  /// Returns the types in `after`, or nil if the accessor does not provide them.
  private func precedingModules(_ accessor: RecordAccessor) -> [any Module.Type]? {
    var preceding = __PrecedingModules(types: [])
    // The accessor replaces the empty array, which owns nothing.
    let type = unsafeBitCast(__PrecedingModules.self as Any.Type, to: UnsafeRawPointer.self)
    let isProvided = withUnsafeMutablePointer(to: &preceding) { accessor(UnsafeMutableRawPointer($0), type, 0) }
    return isProvided ? preceding.types : nil
  }

  private func handlerEntry(
    _ record: ExportedRecord, _ consume: @escaping @MainActor (ModuleEntry) -> Void
  ) -> ModuleEntry? {
    do throws(JSONError) {
      let attributes = try HandlerAttributes(of: record)
      guard let accessor = record.accessor else {
        reportMalformed(record, "the record of a handler has no accessor; export the handler with '#onEvent'")
        return nil
      }
      return handlerEntry(
        named: attributes.handler, priority: attributes.priority, image: record.image,
        IndependentHandler(origin: .exported(accessor), once: attributes.once), consume)
    } catch {
      reportMalformed(record, "\(error)")
      return nil
    }
  }

  /// Returns the entry of a handler under a unique name.
  ///
  /// One source location can add handlers many times, and two images can have been built from one
  /// source.
  func handlerEntry(
    named name: String, priority: Int, image: LoadedImage?, _ handler: IndependentHandler,
    _ consume: @escaping @MainActor (ModuleEntry) -> Void
  ) -> ModuleEntry {
    var unique = name
    while entries.any(named: unique) != nil {
      handlerCounts[name, default: 1] += 1
      unique = "\(name)#\(handlerCounts[name, default: 1])"
    }
    let entry = ModuleEntry(
      attributes: ModuleAttributes(module: unique, level: .normal, priority: priority, after: []), image: image,
      source: .handler(handler))
    if handler.once { entry.whenConsumed = { [weak entry] in if let entry { consume(entry) } } }
    return entry
  }

  private func reportMalformed(_ record: ExportedRecord, _ problem: String) {
    log.report(.malformed(record, problem))
  }
}
