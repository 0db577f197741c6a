import Registry

/// The needs of a manager's images, and what happens to those that nothing satisfies.
struct NeedChecks {
  /// The treatment of needs that nothing satisfies when the manager starts.
  enum Policy {
    /// The manager reports it after the initialization, and starts.
    case report
    /// The start throws before the first module is created.
    case throwBeforeSetUp
    /// The start throws after the last initialization, before which modules can register services.
    case throwAfterInitialize
  }

  var policy = Policy.report
  /// The needs of all images that are loaded.
  private(set) var all: [Need] = []
  /// The number of needs at the end of `all` that no check has seen.
  private var newCount = 0
  /// The serials of the images that no check has seen.
  private var newImages: [UInt64] = []
  /// The serials of the images that were loaded after the start, and whose modules are not set up.
  private(set) var refusedImages: Set<UInt64> = []

  /// A Boolean value that indicates whether a check can find something new.
  var isDue: Bool { newCount > 0 || !refusedImages.isEmpty }

  /// Adds the needs of images that have been loaded.
  ///
  /// - Returns: Diagnostics for malformed records.
  mutating func add(_ images: [CatalogedImage]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for cataloged in images {
      newImages.append(cataloged.image.serial)
      // Most records are of other kinds, and indices do not retain them.
      for index in cataloged.records.indices where cataloged.records[index].kind == .need {
        let record = cataloged.records[index]
        do throws(JSONError) {
          all.append(try Need(record))
          newCount += 1
        } catch {
          diagnostics.append(.malformed(record, "\(error)"))
        }
      }
    }
    return diagnostics
  }

  /// Removes the needs of images that have been unloaded.
  mutating func remove(ofImages serials: Set<UInt64>) {
    let new = all.suffix(newCount)
    newCount -= new.count { serials.contains($0.record.image.serial) }
    all.removeAll { serials.contains($0.record.image.serial) }
    newImages.removeAll { serials.contains($0) }
    refusedImages.subtract(serials)
  }

  /// Marks all needs as seen.
  mutating func completeCheck() { (newCount, newImages) = (0, []) }

  /// The needs of the images that no check has seen, and of those that were refused.
  var due: [Need] {
    let new = all.suffix(newCount)
    return refusedImages.isEmpty ? Array(new) : all.dropLast(newCount).filter(isRefused) + new
  }

  func isRefused(_ need: Need) -> Bool { refusedImages.contains(need.record.image.serial) }

  /// Refuses the images that no check has seen.
  ///
  /// They belong together, because a plug-in and its libraries are loaded at once.
  mutating func refuseNewImages() { refusedImages.formUnion(newImages) }

  mutating func accept(_ images: Set<UInt64>) { refusedImages.subtract(images) }
}

extension LaunchSequence {
  /// Throws the diagnostics of the needs that nothing satisfies, if the policy says so at this
  /// time.
  ///
  /// An image that was refused after an earlier start remains refused, and does not prevent a
  /// start.
  func checkNeeds(_ moment: Expectation.Moment) throws(ModuleError) {
    switch (needs.policy, moment) {
    case (.throwBeforeSetUp, .beforeSetUp), (.throwAfterInitialize, .afterInitialize):
      let problems = needs.all.filter { !needs.isRefused($0) }.compactMap(problem)
      if !problems.isEmpty { throw .unmetNeeds(problems) }
    case (.report, .afterInitialize): log.report(needs.all.compactMap(problem))
    case (.report, .beforeSetUp), (.throwBeforeSetUp, .afterInitialize), (.throwAfterInitialize, .beforeSetUp): return
    }
    needs.completeCheck()
  }

  /// Reports the needs of images that were loaded after the start, before their modules are set up.
  ///
  /// If all needs are required, the modules of images with such a need are refused, until the need
  /// is satisfied.
  func checkLateNeeds() {
    guard needs.isDue, isRunning else { return }
    let due = needs.due
    var unmet: Set<UInt64> = []
    for need in due {
      guard let problem = problem(of: need) else { continue }
      unmet.add(need.record.image.serial)
      let refused = "; the modules of the image are not set up until the need is satisfied"
      log.report(needs.policy == .report ? problem : problem.with(message: problem.message + refused))
    }
    if needs.policy != .report {
      let accepted = needs.refusedImages.subtracting(unmet)
      if unmet.isEmpty, !accepted.isEmpty {
        needs.accept(accepted)
        registry.reconsiderPending()
      }
      if !unmet.subtracting(needs.refusedImages).isEmpty { needs.refuseNewImages() }
    }
    needs.completeCheck()
  }

  /// Returns the diagnostic of a need that nothing satisfies, or nil.
  ///
  /// A property with `@Service` uses the shared manager of services. Other code can also use the
  /// manager of the context.
  private func problem(of need: Need) -> Diagnostic? {
    if need.isOptional { return nil }
    switch need.subject {
    case .service:
      if need.isProperty { return ServiceManager.shared.problem(of: need) }
      guard let problem = context.permanentServices.problem(of: need) else { return nil }
      return ServiceManager.shared.problem(of: need) == nil ? nil : problem
    case .module: return registry.problem(of: need)
    // An empty point is no mistake.
    case .point: return nil
    case .route:
      guard let check: __NeedCheck = need.record.accessor.flatMap(provided) else {
        return need.diagnostic("its record cannot be read; rebuild the image with the current version of the library")
      }
      return check.problem().map { need.diagnostic($0) }
    }
  }
}

extension ModuleRegistry {
  /// Returns the diagnostic of a need for a module that is not known, or nil.
  fileprivate func problem(of need: Need) -> Diagnostic? {
    let type = need.record.servedType
    let name = type.map { recordName(of: $0) } ?? need.target
    for entry in entries.all(named: name) {
      if type.map({ entry.isModule(of: $0, in: need.record.image) }) ?? true { return nil }
    }
    let reason =
      imageLeavingOut(name) == nil
      ? "no loaded image exports the module, and no code registered it\(name.suggestion(in: entries.names))"
      : "the module that an image exports cannot be used; 'report()' contains the reason"
    return need.diagnostic(reason, subject: name)
  }
}

extension LaunchSequence {
  /// Returns the modules that provide what the feature of a module needs.
  ///
  /// A feature is a Swift module. The modules in the Swift module of a service's implementation
  /// count as its providers.
  ///
  /// - Parameters:
  ///   - module: The name of the module.
  ///   - names: The names of the modules that can be in the result.
  func providersOfNeeds(_ module: String, _ names: Set<String>) -> [String] {
    let feature = module.feature
    var providers: Set<String> = []
    var features: Set<Substring> = []
    for need in needs.all where need.feature == feature {
      switch need.subject {
      case .module:
        let name = need.record.servedType.map { recordName(of: $0) } ?? need.target
        if names.contains(name) { providers.add(name) }
      case .service:
        let managers = need.isProperty ? [ServiceManager.shared] : [context.permanentServices, .shared]
        for manager in managers { for name in manager.implementations(of: need) { features.add(name.feature) } }
      // A route is opened, and a point is read, after the start.
      case .route, .point: continue
      }
    }
    features.remove(feature)
    for name in names where features.contains(name.feature) { providers.add(name) }
    providers.remove(module)
    return providers.ordered(by: <)
  }
}

extension Need {
  /// The Swift module that states the need; nil in C code.
  fileprivate var feature: Substring? { location?.prefix { $0 != "/" } }
}

extension String {
  /// The Swift module in the name of a type.
  fileprivate var feature: Substring { prefix { $0 != "." } }
}
