import Registry

/// A module or service without which a start fails.
struct Expectation {
  /// The time at which an expectation is checked.
  enum Moment {
    /// The time before the first module is created, for modules.
    case beforeSetUp
    /// The time after the last initialization, for services, which modules can register until then.
    case afterInitialize
  }

  let moment: Moment
  /// A closure that returns a diagnostic if the module or service is missing.
  let problem: @MainActor (ModuleRegistry, ServiceManager) -> Diagnostic?

  /// Creates the expectation that a service has an implementation.
  static func service<Service>(_ service: Service.Type, named name: String?) -> Expectation {
    Expectation(moment: .afterInitialize) { _, services in
      guard let error = services.absence(of: service, named: name) else { return nil }
      return Diagnostic(
        severity: .error, code: .missing, subject: recordName(of: service), image: nil,
        message: "\(error)")
    }
  }

  /// Creates the expectation that a module is known.
  static func module(_ name: String) -> Expectation {
    let name = name.recordForm
    return Expectation(moment: .beforeSetUp) { registry, _ in
      guard registry.entries.any(named: name) == nil else { return nil }
      if let image = registry.imageLeavingOut(name) {
        return Diagnostic(
          severity: .error, code: .missing, subject: name, image: image,
          message: "the image exports the module, but it cannot be used; 'report()' contains the reason")
      }
      let hint = name.suggestion(in: registry.entries.names)
      return Diagnostic(
        severity: .error, code: .missing, subject: name, image: nil,
        message: "no loaded image exports the module, and no code registered it\(hint)")
    }
  }
}

extension LaunchSequence {
  /// Throws the diagnostics of the expectations that do not hold.
  ///
  /// If modules are missing, the error also contains the services that are missing at that time, so
  /// that the user can correct everything at once. A module could still register such a service,
  /// which its diagnostic says.
  func check(_ moment: Expectation.Moment) throws(ModuleError) {
    func problems(_ moment: Expectation.Moment) -> [Diagnostic] {
      expectations.filter { $0.moment == moment }.compactMap { $0.problem(registry, context.permanentServices) }
    }
    let missing = problems(moment)
    guard !missing.isEmpty else { return }
    guard moment == .beforeSetUp else { throw .missing(missing) }
    throw .missing(missing + problems(.afterInitialize).map(\.beforeSetUp))
  }
}

extension Diagnostic {
  /// The diagnostic of a service that is missing before the modules are set up.
  fileprivate var beforeSetUp: Diagnostic {
    with(
      message: message + "; no module has been set up, and a module, such as a missing one, can register the service")
  }
}
