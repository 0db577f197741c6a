import Registry

/// Something that must be there when a manager has started.
struct Expectation {
  /// When it is looked at: modules before anything is made, services once modules had their chance to register some.
  enum Moment {
    case beforeSetUp
    case afterInitialize
  }

  let moment: Moment
  /// What is wrong; nil if it is there.
  let problem: @MainActor (ModuleManager) -> Diagnostic?
}

extension ModuleManager {
  /// Says which services the app cannot do without: ``start(launch:)`` throws if one of them has no implementation that can
  /// be used, and says why a record may be missing.
  ///
  /// ```swift
  /// modules.expect(CartService.self, PaymentService.self)
  /// modules.expect(modules: "Cart.CartModule")
  /// try modules.start()
  /// ```
  ///
  /// Looked for in ``Context/services`` when all modules are initialised, so those count that a module registers. None is
  /// made.
  public func expect<each Service>(_ services: repeat (each Service).Type) {
    repeat expect(each services, named: nil)
  }

  /// The same for an implementation with a name.
  public func expect<Service>(_ service: Service.Type, named name: String?) {
    expectations.append(
      Expectation(moment: .afterInitialize) { manager in
        guard let error = manager.context.services.absence(of: service, named: name) else { return nil }
        return Diagnostic(
          severity: .error, code: .missing, subject: recordName(of: service), image: nil,
          message: "\(error). \(Self.reasons)")
      })
  }

  /// Says which modules the app cannot do without, by the names in their records.
  ///
  /// Looked for before any module is made. A module whose class is missing counts as missing.
  public func expect(modules names: String...) {
    for name in names {
      expectations.append(
        Expectation(moment: .beforeSetUp) { manager in
          guard manager.entries.any(named: name) == nil else { return nil }
          if let image = manager.imageLeavingOut(name) {
            return Diagnostic(
              severity: .error, code: .missing, subject: name, image: image,
              message: "this image exports it and it cannot be used: report() says why")
          }
          let hint = name.nearest(in: manager.entries.names).map { "; is \($0.escapedForDisplay()) meant?" } ?? "."
          return Diagnostic(
            severity: .error, code: .missing, subject: name, image: nil,
            message: "no image exports such a module and nobody registered it\(hint) \(Self.reasons)")
        })
    }
  }

  /// Throws what is missing at a moment of the start.
  func check(_ moment: Expectation.Moment) throws(ModuleError) {
    let missing = expectations.filter { $0.moment == moment }.compactMap { $0.problem(self) }
    if !missing.isEmpty { throw .missing(missing) }
  }

  /// Why a record that was written is not found.
  private static var reasons: String {
    """
    A record is missing if its target is not a dependency of this product but of another one, or of an image that is not \
    open yet; if its object file is the member of a static archive that nothing refers to (link it with -force_load on \
    Apple systems, --whole-archive elsewhere); if it was compiled out or removed as dead code (a record written by hand \
    without `used`); if its image was opened by another copy of this library. report() lists what was found
    """
  }
}
