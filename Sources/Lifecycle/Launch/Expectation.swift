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
        message: "\(error); \(reasons)")
    }
  }

  /// Creates the expectation that a module is known.
  static func module(_ name: String) -> Expectation {
    Expectation(moment: .beforeSetUp) { registry, _ in
      guard registry.entries.any(named: name) == nil else { return nil }
      if let image = registry.imageLeavingOut(name) {
        return Diagnostic(
          severity: .error, code: .missing, subject: name, image: image,
          message: "the image exports the module, but it cannot be used; 'report()' contains the reason")
      }
      let hint = name.nearest(in: registry.entries.names).map { "; did you mean '\($0.escapedForDisplay())'?" } ?? ""
      return Diagnostic(
        severity: .error, code: .missing, subject: name, image: nil,
        message: "no loaded image exports the module, and no code registered it; \(reasons)\(hint)")
    }
  }

  /// The possible reasons why a record in the source code is missing from the binary.
  private static var reasons: String {
    """
    a record is missing if its target is not a dependency of this product, or only of an image that is not open yet; \
    if its object file is an unreferenced member of a static archive (link it with '-force_load' on Apple systems, \
    with '--whole-archive' elsewhere); if it was compiled out or removed as dead code (a handwritten record without \
    'used'); or if its image was opened by another copy of this library; 'report()' lists the records that were found
    """
  }
}

extension LaunchSequence {
  /// Throws the diagnostics of the expectations that do not hold.
  func check(_ moment: Expectation.Moment) throws(ModuleError) {
    let missing = expectations.filter { $0.moment == moment }.compactMap { $0.problem(registry, context.services) }
    if !missing.isEmpty { throw .missing(missing) }
  }
}
