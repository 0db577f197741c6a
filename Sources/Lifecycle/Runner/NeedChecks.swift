import Registry

final class NeedChecks {
  enum Policy {
    /// The manager reports unmet needs after the initialization, and starts anyway.
    case report
    /// The start throws before the first module is created.
    case throwBeforeSetUp
    /// The start throws after the last initialization, so that modules can register services.
    case throwAfterInitialize
  }

  var policy = Policy.report
  /// A Boolean value that indicates whether the manager was given services or reads records.
  var managerHasServices = false
  /// The needs of all loaded images, in load order.
  private(set) var all: [Need] = []
  /// The serials of images that no check has seen, in load order.
  private(set) var newImages: [UInt64] = []
  /// The serials of images that were loaded together after the start, but whose modules are not set
  /// up, because one of the images has unmet needs. They precede the new images in load order.
  var refusedImages: [[UInt64]] = []

  var due: [Need] { all.filter { isRefused($0.record.image) || newImages.contains($0.record.image.serial) } }

  func isRefused(_ image: LoadedImage) -> Bool { refusedImages.contains { $0.contains(image.serial) } }

  func add(_ images: [CatalogedImage]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for cataloged in images {
      newImages.append(cataloged.image.serial)
      // Most records are of other kinds, so loop over indices to avoid retaining them.
      for index in cataloged.records.indices where cataloged.records[index].kind == .need {
        let record = cataloged.records[index]
        do throws(JSONError) {
          all.append(try Need(record))
        } catch {
          diagnostics.append(.malformed(record, "\(error)"))
        }
      }
    }
    return diagnostics
  }

  func remove(ofImages serials: Set<UInt64>) {
    all.discard { serials.contains($0.record.image.serial) }
    newImages.discard(where: serials.contains)
    for index in refusedImages.indices { refusedImages[index].discard(where: serials.contains) }
  }

  func didCheck() { newImages = [] }
}

extension ModuleRunner {
  /// Throws diagnostics of missing modules, or, if the policy requires it, of unmet needs.
  ///
  /// If modules are missing, the error also contains missing services that could still be
  /// registered, so that the user can fix all problems together.
  func checkBeforeSetUp() throws(ModuleError) {
    let missing = expectedModules.compactMap(registry.absence)
    if !missing.isEmpty {
      let note = "; no module has been set up, and a module, such as a missing one, can register the service"
      throw .missing(missing + missingServices.map { $0.with(message: $0.message + note) })
    }
    if needs.policy == .throwBeforeSetUp { try checkNeeds() }
  }

  /// Throws diagnostics of missing services. If there are none, reports or throws unmet needs.
  func checkAfterInitialize() throws(ModuleError) {
    let missing = missingServices
    if !missing.isEmpty { throw .missing(missing) }
    if needs.policy != .throwBeforeSetUp { try checkNeeds() }
  }

  private var missingServices: [Diagnostic] { expectedServices.compactMap { $0() } }

  /// Reports or throws the diagnostics of unmet needs. Refused images don't prevent a start.
  private func checkNeeds() throws(ModuleError) {
    let needsToCheck = needsToCheck
    // A diagnostic handler can open an image, which no check has seen.
    needs.didCheck()
    reportProperties(needsToCheck)
    // A test that passes modules to the manager doesn't have to satisfy all of their needs.
    let isExempt = needs.policy == .report && feed.source.isEmpty
    let due = isExempt ? [] : needsToCheck.filter { !needs.isRefused($0.record.image) }
    let problems = due.compactMap(problem)
    if needs.policy == .report {
      log.report(problems)
    } else if !problems.isEmpty {
      throw .missing(problems, areNeeds: true, precedeSetUp: needs.policy == .throwBeforeSetUp)
    }
  }

  /// Reports the unmet needs of images that were loaded after the start. If the policy is not
  /// `report`, refuses the modules of these images until all needs are met.
  func checkLateNeeds() {
    guard isRunning, !(needs.newImages.isEmpty && needs.refusedImages.isEmpty) else { return }
    reportProperties(needs.due)
    var (refused, problems): ([[UInt64]], [Diagnostic]) = ([], [])
    // Treat the new images as a unit, because a plug-in is loaded with its libraries.
    for (images, isNew) in needs.refusedImages.map({ ($0, false) }) + [(needs.newImages, true)] {
      var isSatisfied = true
      for need in needs.all where images.contains(need.record.image.serial) {
        Subscriber.steps += 1
        guard let problem = problem(of: need) else { continue }
        isSatisfied = false
        let note = "; the modules of the image are not set up until the need is satisfied"
        problems.append(needs.policy == .report ? problem : problem.with(message: problem.message + note))
        // The other needs were reported when the images were refused, and each event checks again.
        if !isNew { break }
      }
      if !isSatisfied, needs.policy != .report { refused.append(images) }
    }
    needs.refusedImages = refused
    needs.didCheck()
    // A diagnostic handler can open an image, which causes another check.
    log.report(problems)
  }

  /// A Boolean value that indicates whether a plain `@Service` ignores the manager's services.
  private var hasOtherServices: Bool {
    needs.managerHasServices && !context.permanentServices.core.lineage.contains { $0 === ServiceManager.shared.core }
  }

  private func isOfModule(_ need: Need) -> Bool {
    need.dependent.map { registry.entries.any(named: $0) != nil } ?? false
  }

  /// Reports modules whose properties use the shared services although the manager has its own.
  private func reportProperties(_ needs: [Need]) {
    guard hasOtherServices else { return }
    for need in needs where need.isProperty && isOfModule(need) {
      let dependent = need.dependent ?? ""
      log.report(
        Diagnostic(
          severity: .warning, code: .sharedServices, subject: dependent, image: need.record.image,
          message: "the property at \((need.location ?? "").escapedForDisplay()) uses 'ServiceManager.shared', but the"
            + " module's manager has other services; store 'context.services' in 'setUp', and write"
            + " 'in: \\\(dependent.lastComponent).services' in the attribute, or give them the parent '.shared'"))
    }
  }

  #if DEBUG
  var unmetNeed: Diagnostic? { needsToCheck.lazy.compactMap(problem).first }
  #endif

  /// The needs of all images. Without records, a manager has the needs of the modules that code
  /// passed to it.
  private var needsToCheck: [Need] {
    guard feed.source.isEmpty else { return needs.all }
    return needs.policy != .report || hasOtherServices ? Self.needsOfProcess().filter(isOfModule) : []
  }

  private static func needsOfProcess() -> [Need] {
    RecordSource.records { _ in true }.records(of: .need).compactMap { try? Need($0) }
  }

  /// Returns the diagnostic of an unmet need, or nil. An `@Service` property without `in:` uses the
  /// shared service manager. Other code can use the context's service manager, too.
  private func problem(of need: Need) -> Diagnostic? {
    // The accessor of a need for a module's name always returns false.
    if need.isOptional || need.record.isUnavailable && (need.subject != .module || need.isType) { return nil }
    switch need.subject {
    case .service:
      if need.isProperty { return ServiceManager.shared.problem(of: need) }
      // Only modules of this manager are certain to use its services.
      if need.isOwn, !isOfModule(need) { return nil }
      guard let problem = context.permanentServices.problem(of: need) else { return nil }
      return ServiceManager.shared.problem(of: need) == nil || isInGroup(need) ? nil : problem
    case .module: return registry.problem(of: need)
    // A contribution point can be empty.
    case .point: return nil
    case .route:
      guard let check: __NeedCheck = need.record.accessor.flatMap(provided) else {
        return need.diagnostic("its record cannot be read; rebuild the image with the current version of the library")
      }
      return check.problem(context.permanentServices).map { need.diagnostic($0) }
    }
  }

  /// Returns whether a group exports a needed service. If so, the group's managers have it.
  private func isInGroup(_ need: Need) -> Bool {
    let name = need.target.lastComponent
    return RecordSource.records { $0.kind == .service && $0.group != nil }.records().contains { record in
      if let type = need.record.servedType, let other = record.servedType { return type == other }
      return record.name?.lastComponent == name
    }
  }

  /// Returns a closure that finds which of the named modules provide what a module's feature needs.
  ///
  /// A feature is a Swift module. A service's providers are the modules in its implementation's
  /// Swift module. The closure visits only the needs of one feature, because many modules can ask.
  func providersOfNeeds(_ names: Set<String>) -> ModuleRegistry.Providers {
    let all = feed.source.isEmpty ? Self.needsOfProcess() : needs.all
    let needs = Dictionary(grouping: all) { $0.location?.feature ?? "" }
    let modules = Dictionary(grouping: names, by: \.feature)
    return { [context] module in
      var providers: Set<String> = []
      var features: Set<Substring> = []
      for need in needs[module.feature] ?? [] {
        Subscriber.steps += 1
        switch need.subject {
        case .module:
          let name = need.record.servedType.map { recordName(of: $0) } ?? need.target
          if names.contains(name) { providers.add(name) }
        case .service:
          let managers = need.isProperty ? [ServiceManager.shared] : [context.permanentServices, .shared]
          for manager in managers { for name in manager.implementations(of: need) { features.add(name.feature) } }
        // Code opens routes and reads points only after the start.
        case .route, .point: continue
        }
      }
      features.remove(module.feature)
      for feature in features { for name in modules[feature] ?? [] { providers.add(name) } }
      return providers.ordered(by: <).filter { $0 != module }
    }
  }
}

extension ModuleRegistry {
  func absence(of name: String) -> Diagnostic? {
    if entries.any(named: name) != nil { return nil }
    return Diagnostic(
      severity: .error, code: .missing, subject: name, image: imageLeavingOut(name),
      message: reasonForAbsence(of: name))
  }

  private func reasonForAbsence(of name: String) -> String {
    if imageLeavingOut(name) != nil {
      return "the module that an image exports cannot be used; 'report()' of 'RegistryReports' contains the reason"
    }
    #if DEBUG
    if let exclusion = unknownNames.exclusion(name) { return exclusion }
    #endif
    return "no loaded image exports the module, and no code registered it\(name.suggestion(in: entries.names))"
  }

  fileprivate func problem(of need: Need) -> Diagnostic? {
    let type = need.record.servedType
    let name = type.map { recordName(of: $0) } ?? need.target
    for entry in entries.all(named: name) {
      if type.map({ entry.isModule(of: $0, in: need.record.image) }) ?? true { return nil }
    }
    return need.diagnostic(reasonForAbsence(of: name), subject: name)
  }
}

extension String {
  /// The Swift module in a name or in a source location.
  // Finding the ends of characters would take most of the time in an app with many features.
  fileprivate var feature: Substring { Substring(utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "/") }) }

  fileprivate var lastComponent: String { parts(separatedBy: ".").last { !$0.isEmpty } ?? self }
}
