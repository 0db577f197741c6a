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

  /// A description of the problem and of its fix.
  public var description: String {
    switch self {
    case .notFound(let service, let named, let available, let images, let nearest):
      return Self.describeNotFound(service, named, available, images, nearest)
    case .unusable(let service, let named, let problems):
      return "no implementation of \(Self.spell(service, named)) can be used: "
        + Self.list(problems.map(\.description), limit: 4, separator: "; ")
    case .wrongIsolation(let service, let implementation, let image, let actor):
      return "\(Self.spell(implementation, in: image)) implements \(service.escapedForDisplay()) and is made on"
        + " \(actor) only: call from there, or write `try await service(for:)`"
    case .cycle(let path):
      return "making a service asks for that service again: \(path.spelledOut)"
        + "; let one of them look the other up later, not in its initializer"
    case .initializerFailed(let service, let implementation, let image, let underlying):
      return "the initializer of \(Self.spell(implementation, in: image)), which implements"
        + " \(service.escapedForDisplay()), threw: \(underlying)"
    case .liveService(let service, let named, let implementation, let image):
      return Self.describeLive(service, named, implementation.map { Self.spell($0, in: image) })
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

  /// Returns the first words of a list and the number of the others, because a list can be long.
  private static func list(_ words: [String], limit: Int = 8, separator: String = ", ") -> String {
    words.prefix(limit).joined(separator: separator)
      + (words.count > limit ? " and \(words.count - limit) more" : "")
  }

  private static func describeLive(_ service: String, _ named: String?, _ live: String?) -> String {
    let type = "\(service.split(separator: ".").last ?? "P").self".escapedForDisplay()
    let name = named.map { ", named: \"\($0.escapedForDisplay())\"" } ?? ""
    return "\(spell(service, named)) was asked for in a strict scope that neither overrides nor allows it; "
      + (live.map { "outside it is \($0)" } ?? "nothing implements it outside either")
      + ". Override it, override(\(type)\(name)) { … }, or allow what is there, allowLive(\(type))"
  }

  private static func spell(_ service: String, _ named: String?) -> String {
    service.escapedForDisplay() + (named.map { " named \"\($0.escapedForDisplay())\"" } ?? "")
  }

  private static func spell(_ implementation: String, in image: LoadedImage?) -> String {
    implementation.escapedForDisplay() + (image.map { " (\($0))" } ?? "")
  }

  private static func describeNotFound(
    _ service: String, _ named: String?, _ available: [String], _ images: [String], _ nearest: String?
  ) -> String {
    if !available.isEmpty {
      let names = list(available.map { "\"\($0.escapedForDisplay())\"" })
      return named == nil
        ? "\(service.escapedForDisplay()) has named implementations only: pass named: one of \(names)"
        : "no implementation of \(spell(service, named)); there are \(names)"
    }
    let looked =
      switch images.count {
      case 0: "no loaded image exports anything"
      default: "no image exports one; looked at " + list(images.map { $0.escapedForDisplay() })
      }
    let hint = nearest.map { "; there is \($0.escapedForDisplay()), is that meant?" } ?? ""
    return "no implementation of \(spell(service, named)): \(looked)\(hint). Is the target that has it linked?"
      + " Export one with @ExportService(\("\(service.split(separator: ".").last ?? "P").self".escapedForDisplay())), or register(_:factory:) one"
  }
}
