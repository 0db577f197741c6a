/// An error that a lookup of a service throws.
public enum ServiceError: Error, Sendable, CustomStringConvertible {
  /// No implementation with that name exists.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol.
  ///   - named: The name of the implementation; nil for one without a name.
  ///   - available: The names of the implementations that exist.
  ///   - images: The names of the images with records.
  ///   - nearest: The name of an exported protocol that is spelled similarly.
  case notFound(service: String, named: String?, available: [String], images: [String], nearest: String?)

  /// Implementations exist, but none can be used.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol.
  ///   - named: The name of the implementation; nil for one without a name.
  ///   - problems: The diagnostics that give the reasons.
  case unusable(service: String, named: String?, problems: [Diagnostic])

  /// The implementation must be created on a global actor, and the calling code is outside that
  /// actor.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol.
  ///   - implementation: The name of the implementing type.
  ///   - image: The image that exports the implementation.
  ///   - actor: The name of the actor.
  case wrongIsolation(service: String, implementation: String, image: LoadedImage?, actor: String)

  /// The initializer of a service requires that service, directly or through others.
  ///
  /// - Parameter path: The services in the order of their creation, with the first one again at the
  ///   end.
  case cycle(path: [CycleStep])

  /// The initializer of the implementation threw an error.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol.
  ///   - implementation: The name of the implementing type.
  ///   - image: The image that exports the implementation.
  ///   - underlying: The error that the initializer threw.
  case initializerFailed(service: String, implementation: String, image: LoadedImage?, underlying: any Error)

  /// A strict test scope neither overrides nor allows the service.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol.
  ///   - named: The name of the implementation; nil for one without a name.
  ///   - implementation: The name of the type that the lookup would use outside the scope; nil if
  ///     there is none.
  ///   - image: The image that exports that type.
  case liveService(service: String, named: String?, implementation: String?, image: LoadedImage?)

  /// The code of the problem.
  package var code: Diagnostic.Code {
    switch self {
    case .notFound: .noService
    case .unusable: .unusableService
    case .wrongIsolation: .wrongIsolation
    case .cycle: .serviceCycle
    case .initializerFailed: .initializerFailed
    case .liveService: .liveService
    }
  }

  /// A description of the problem and of its fix, which ends with a code.
  public var description: String { "\(text) [\(code)]" }

  private var text: String {
    switch self {
    case .notFound(let service, let named, let available, let images, let nearest):
      return Self.describeNotFound(service, named, available, images, nearest)
    case .unusable(let service, let named, let problems):
      return "no implementation of \(Self.spell(service, named)) can be used: \(Self.list(problems))"
    case .wrongIsolation(let service, let implementation, let image, let actor):
      return "\(implementation.implementationForDisplay(in: image)) implements \(service.quotedForDisplay()) and is"
        + " isolated to \(actor.quotedForDisplay()); call 'createService(for:)' on that actor, or call"
        + " 'try await service(for:)'"
    case .cycle(let path):
      return "dependency cycle: \(path.spelledOut); look up one of these services later, not in an initializer"
    case .initializerFailed(let service, let implementation, let image, let underlying):
      return "the creation of \(service.quotedForDisplay()) by \(implementation.implementationForDisplay(in: image))"
        + " threw an error: \(underlying)"
    case .liveService(let service, let named, let implementation, let image):
      return Self.describeLive(service, named, implementation.map { $0.implementationForDisplay(in: image) })
    }
  }

  /// Returns a single error for a lookup that failed in a manager and in its parent.
  func joined(withParent other: ServiceError) -> ServiceError {
    guard case .notFound(let service, let named, var available, var images, let nearest) = self else { return self }
    // The reason why an existing implementation cannot be used is more helpful than the fact that
    // this manager has none.
    guard case .notFound(_, _, let others, let otherImages, let otherNearest) = other else { return other }
    available = Set(available + others).sorted()
    images += otherImages.filter { !images.contains($0) }
    return .notFound(
      service: service, named: named, available: available, images: images, nearest: nearest ?? otherNearest)
  }

  /// Returns the descriptions of problems, with only the number of those beyond the fourth.
  private static func list(_ problems: [Diagnostic]) -> String {
    problems.prefix(4).map(\.textInMessage).joined(separator: "; ")
      + (problems.count > 4 ? "; and \(problems.count - 4) more" : "")
  }

  private static func spell(_ service: String, _ named: String?) -> String {
    service.quotedForDisplay() + (named.map { " named \($0.quotedForDisplay())" } ?? "")
  }

  /// Returns the expression for the type of a service, such as `CartService.self`.
  private static func metatype(of service: String) -> String {
    // The arguments of a protocol, as in `Box<Swift.Int>`, contain periods too.
    let name = service.prefix { $0 != "<" }.split(separator: ".").last ?? "P"
    let arguments = service.drop { $0 != "<" }
    return (arguments.isEmpty ? "\(name).self" : "(any \(name)\(arguments)).self").escapedForDisplay()
  }

  /// Returns the code of the argument with a name, or an empty string if there is no name.
  private static func argument(_ named: String?) -> String {
    named.map { ", named: \"\($0.escapedForDisplay())\"" } ?? ""
  }

  private static func describeLive(_ service: String, _ named: String?, _ live: String?) -> String {
    let type = metatype(of: service)
    let problem = "\(spell(service, named)) is neither overridden nor allowed in a strict test scope"
    let fix = "override it with 'override(\(type)\(argument(named))) { … }'"
    guard let live else { return "\(problem), and nothing implements it outside the scope; \(fix)" }
    return "\(problem); \(fix), or allow \(live) with 'allowLive(\(type))'"
  }

  private static func describeNotFound(
    _ service: String, _ named: String?, _ available: [String], _ images: [String], _ nearest: String?
  ) -> String {
    if !available.isEmpty {
      let (subject, names) = (spell(service, named), available.quotedList("and", limit: 8))
      return named == nil
        ? "no implementation of \(subject) without a name was found; pass an available name as 'named:': \(names)"
        : "no implementation of \(subject) was found; available names: \(names)"
    }
    let scope = images.isEmpty ? ", and no loaded image exports records" : " in \(images.quotedList("and", limit: 8))"
    let hint = nearest.map { "; did you mean \($0.quotedForDisplay())?" } ?? ""
    return "no implementation of \(spell(service, named)) was found\(scope); link the target that exports it, export"
      + " one with '@ExportService(\(metatype(of: service))\(argument(named)))', or register one with"
      + " 'register(_:factory:)'\(hint)"
  }
}

extension Diagnostic.Code {
  /// A lookup of a service without an implementation.
  package static let noService = Self(rawValue: "no-service")
  /// A lookup of a service whose implementations all have problems.
  package static let unusableService = Self(rawValue: "unusable-service")
  /// A lookup outside the global actor on which the service must be created.
  package static let wrongIsolation = Self(rawValue: "wrong-isolation")
  /// A service whose initializer requires the service itself, directly or through others.
  package static let serviceCycle = Self(rawValue: "service-cycle")
  /// An implementation of a service whose initializer or factory throws an error.
  package static let initializerFailed = Self(rawValue: "initializer-failed")
  /// A lookup of a service that a strict test scope neither overrides nor allows.
  package static let liveService = Self(rawValue: "live-service")
}
