/// An error that a lookup of a service or of contributions throws.
///
/// ```swift
/// do {
///   cart = try services.createService(for: CartService.self)
/// } catch where error.code == "no-service" {
///   cart = EmptyCart()
/// }
/// ```
///
/// `Documentation/Services.md` lists the codes.
public struct ServiceError: Error, Sendable, CustomStringConvertible {
  // Indirect, because each function in a nested lookup reserves stack space for an error.
  package indirect enum Reason: Sendable {
    /// No implementation with the requested name exists.
    ///
    /// - Parameters:
    ///   - named: The requested name; nil for an implementation without a name.
    ///   - available: The names of the implementations that exist.
    ///   - images: The names of the images with records; nil if the manager reads no records.
    ///   - nearest: The name of a similar service, or the requested service itself if it has an
    ///     implementation without a name.
    case notFound(service: String, named: String?, available: [String], images: [String]?, nearest: String?)

    /// The manager can't find the service.
    ///
    /// For example, the manager was released or doesn't use the records that export the service, or
    /// the service is a concrete type that is exported only as other services.
    ///
    /// - Parameter problem: The message with the fix.
    case excluded(service: String, problem: String)

    case unusable(service: String, named: String?, problems: [Diagnostic])

    /// The implementation must be created on an actor that the calling code is not on.
    case wrongIsolation(service: String, implementation: String, image: LoadedImage?, actor: String)

    /// The lookup requires a `Sendable` type, but the implementation was exported or registered for
    /// a type that isn't.
    case notSendable(service: String, implementation: String, image: LoadedImage?)

    /// Creating a service requires that same service, directly or through other services.
    case cycle(path: [CycleStep])

    /// A chain of nested initializers needs more stack than the thread has left.
    case nestedTooDeeply(path: [CycleStep])

    case initializerFailed(service: String, implementation: String, image: LoadedImage?, underlying: any Error)

    /// A strict test scope neither overrides nor allows the service.
    ///
    /// - Parameters:
    ///   - implementation: The implementation outside the scope, or nil.
    ///   - provided: The names of the implementations in the scope, with nil for an implementation
    ///     without a name.
    case liveService(
      service: String, named: String?, implementation: String?, image: LoadedImage?, provided: [String?])
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  /// The code of the problem, such as `no-service`.
  ///
  /// `Documentation/Diagnostics.md` explains the codes.
  public var code: Diagnostic.Code {
    switch reason {
    case .notFound, .excluded: .noService
    case .unusable: .unusableService
    case .wrongIsolation: .wrongIsolation
    case .notSendable: .unsendableService
    case .cycle: .serviceCycle
    case .nestedTooDeeply: .deepNesting
    case .initializerFailed: .initializerFailed
    case .liveService: .liveService
    }
  }

  /// The name of the service or contribution point. In a cycle or chain, it's the first service.
  public var service: String {
    switch reason {
    case .notFound(let service, _, _, _, _), .excluded(let service, _), .unusable(let service, _, _),
      .wrongIsolation(let service, _, _, _), .notSendable(let service, _, _),
      .initializerFailed(let service, _, _, _), .liveService(let service, _, _, _, _):
      service
    case .cycle(let path), .nestedTooDeeply(let path): path.first?.subject ?? ""
    }
  }

  /// The names of the existing implementations if none has the requested name; otherwise empty.
  public var available: [String] {
    if case .notFound(_, _, let available, _, _) = reason { available } else { [] }
  }

  /// The error that the implementation's initializer or factory threw, or nil.
  public var underlying: (any Error)? {
    if case .initializerFailed(_, _, _, let error) = reason { error } else { nil }
  }

  /// The problems of the implementations if none can be used; otherwise empty.
  public var diagnostics: [Diagnostic] {
    if case .unusable(_, _, let problems) = reason { problems } else { [] }
  }

  /// A description of the problem and its fix, followed by the code.
  public var description: String { "\(text) [\(code)]" }

  private var text: String {
    switch reason {
    case .notFound(let service, let named, let available, let images, let nearest):
      return Self.describeNotFound(service, named, available, images, nearest)
    case .excluded(_, let problem): return problem
    case .unusable(let service, let named, let problems):
      return "no implementation of \(Self.spell(service, named)) can be used: \(Self.list(problems))"
    case .wrongIsolation(let service, let implementation, let image, let actor):
      let isPoint = service.isContributionPoint
      let (verb, calls) =
        isPoint
        ? ("contributes to", ("contributions(to:)", "allContributions(to:)"))
        : ("implements", ("createService(for:)", "service(for:)"))
      return "\(implementation.implementationForDisplay(in: image)) \(verb) \(service.quotedForDisplay()) and is"
        + " isolated to \(actor.quotedForDisplay()); call '\(calls.0)' on that actor, or call 'try await \(calls.1)'"
    case .notSendable(let service, let implementation, let image):
      let (verb, hint) = image == nil ? ("register", " (in a generic function, 'Service: Sendable')") : ("export", "")
      let text =
        "\(implementation.implementationForDisplay(in: image)) implements \(service.quotedForDisplay()), which is"
        + " not 'Sendable' where it is \(verb)ed, but the caller uses the service as a 'Sendable' type; declare it as"
        + " 'Sendable'\(hint)"
      guard let type = Self.metatype(of: service), let marked = Self.metatype(of: "\(service) & Sendable") else {
        return text
      }
      return "\(text), \(verb) it as '\(marked)', or look up '\(type)' on the actor that uses the instance"
    case .cycle(let path):
      return "dependency cycle: \(path.spelledOut); look up one of these services later, not in an initializer"
        + (path.count > 2 ? "" : ", or name the implementation that this one wraps, and look that up with 'named:'")
    case .nestedTooDeeply(let path):
      return "the creation of \(path.count.counted("service")), each in the initializer of the previous one, needs more"
        + " stack than the thread has left: \(path.spelledOut); look up one of these services later, not in an"
        + " initializer, or use a thread with a larger stack"
    case .initializerFailed(let service, let implementation, let image, let underlying):
      return "the creation of \(service.quotedForDisplay()) by \(implementation.implementationForDisplay(in: image))"
        + " threw an error: \(underlying)"
    case .liveService(let service, let named, let implementation, let image, let provided):
      return Self.describeLive(
        service, named, implementation.map { $0.implementationForDisplay(in: image) }, provided)
    }
  }

  /// Returns the error for a lookup of a service that the manager leaves out.
  static func excluded(_ service: String, _ named: String?, _ reason: String) -> ServiceError {
    let text = "no implementation of \(spell(service, named)) was found, because \(reason)"
    return ServiceError(.excluded(service: service, problem: text))
  }

  /// Returns the error for a lookup in a manager that was released.
  static func released(_ service: String) -> ServiceError {
    ServiceError(
      .excluded(
        service: service,
        problem: "\(service.quotedForDisplay()) cannot be looked up, because the manager was released, and the manager"
          + " that an initializer receives does not keep itself alive; keep the manager, or its module manager, as long"
          + " as its services are in use"))
  }

  private static func list(_ problems: [Diagnostic]) -> String {
    problems.prefix(4).map(\.textInMessage).joined(separator: "; ")
      + (problems.count > 4 ? "; and \(problems.count - 4) more" : "")
  }

  static func spell(_ service: String, _ named: String?) -> String {
    service.quotedForDisplay() + (named.map { " named \($0.quotedForDisplay())" } ?? "")
  }

  /// Returns the Swift expression for a service's type, such as `CartService.self`.
  ///
  /// The result is nil if the name does not determine the type, as for generic types, tuples,
  /// functions, and raw identifiers.
  private static func metatype(of service: String) -> String? {
    let words = service.parts(separatedBy: " ")
    var types: [String] = []
    for (index, word) in words.enumerated() {
      guard !index.isMultiple(of: 2) else {
        var names = word.parts(separatedBy: ".")
        if names.count > 1 { names = Array(names[1...]) }
        // No expression refers to a nested type named 'Protocol'.
        guard names.allSatisfy(isIdentifier), !names.dropFirst().contains("Protocol") else { return nil }
        types.append(names.map { keywords.contains($0) ? "`\($0)`" : $0 }.joined(separator: "."))
        continue
      }
      guard word == "&" else { return nil }
    }
    return types.count == 1 ? "\(types[0]).self" : "(any \(types.joined(separator: " & "))).self"
  }

  private static let keywords = """
    Any Protocol Self Type as associatedtype await break case catch class continue default defer deinit do each else \
    enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator \
    precedencegroup private protocol public repeat rethrows return self some static struct subscript super switch \
    throw throws true try typealias var where while
    """.parts(separatedBy: " ")

  private static func argument(_ named: String?) -> String {
    guard let named else { return "" }
    var text = ""
    for character in named {
      if character == "\"" || character == "\\" { text += "\\" }
      text.append(character)
    }
    return ", named: \"\(text.escapedForDisplay())\""
  }

  private static func describeLive(
    _ service: String, _ named: String?, _ live: String?, _ provided: [String?]
  ) -> String {
    let isPoint = service.isContributionPoint
    let type = metatype(of: service)
    let problem =
      "\(spell(service, named)) is neither overridden nor allowed in a strict test scope"
      + (provided.isEmpty ? "" : ", which provides it only \(names(provided))")
    if isPoint {
      return "\(problem); pass values with 'contribute(to:)', or allow \(live ?? "contributions") with 'allowLive(_:)'"
    }
    let fix = "override it with '\(type.map { "override(\($0)\(argument(named))) { … }" } ?? "override(_:factory:)")'"
    guard let live else { return "\(problem), and nothing implements it outside the scope; \(fix)" }
    return "\(problem); \(fix), or allow \(live) with 'allowLive(\(type ?? "_:"))'"
  }

  private static func names(_ names: [String?]) -> String {
    names.map { $0.map { "with the name \($0.quotedForDisplay())" } ?? "without a name" }.joined(separator: " and ")
  }

  private static func describeNotFound(
    _ service: String, _ named: String?, _ available: [String], _ images: [String]?, _ nearest: String?
  ) -> String {
    let problem = "no implementation of \(spell(service, named))"
    if service.hasPrefix("Swift.Optional<") {
      return "\(problem) was found; an optional is not a service, so look up the type that it wraps"
    }
    // `nearest` is the service itself if an implementation without a name exists.
    let hasUnnamed = nearest == service
    if !available.isEmpty {
      let names = available.quotedList("and", limit: 8)
      return named == nil
        ? "\(problem) without a name was found; pass an available name as 'named:': \(names)"
        : "\(problem) was found; available names: \(names)\(hasUnnamed ? "; another one has no name" : "")"
    }
    if hasUnnamed { return "\(problem) was found, but one without a name exists; leave out 'named:' to use it" }
    let hint = nearest.map { "; did you mean \($0.quotedForDisplay())?" } ?? ""
    guard let images else {
      #if DEBUG
      return "\(problem) was found, and this manager reads no records; create it with 'records: .loadedImages' or"
        + " 'parent: .shared', use 'ServiceManager.shared', pass 'services: .shared' to the 'ModuleManager' in a test, or"
        + " register one with 'register(_:factory:)'\(hint)"
      #else
      return "\(problem) was found, and this manager reads no records; create it with 'records: .loadedImages' or"
        + " 'parent: .shared', use 'ServiceManager.shared', or register one with 'register(_:factory:)'\(hint)"
      #endif
    }
    let export = metatype(of: service).map { " export one with '@ExportService(\($0)\(argument(named)))'," } ?? ""
    let scope =
      images.isEmpty
      ? ", and no image from which the manager reads exports records" : " in \(images.quotedList("and", limit: 8))"
    return "\(problem) was found\(scope); link the target that exports it,\(export) or register one with"
      + " 'register(_:factory:)'\(hint)"
  }
}

extension Diagnostic.Code {
  package static var noService: Self { "no-service" }
  package static var unusableService: Self { "unusable-service" }
  package static var wrongIsolation: Self { "wrong-isolation" }
  package static var unsendableService: Self { "unsendable-service" }
  package static var serviceCycle: Self { "service-cycle" }
  package static var deepNesting: Self { "deep-nesting" }
  package static var initializerFailed: Self { "initializer-failed" }
  package static var liveService: Self { "live-service" }
}
