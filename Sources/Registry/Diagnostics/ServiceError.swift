/// Why a service could not be had.
public enum ServiceError: Error, Sendable, CustomStringConvertible {
  /// Nothing implements the protocol under that name.
  ///
  /// - `available`: the names under which there are implementations.
  /// - `images`: the images with records that were looked at.
  /// - `nearest`: an exported protocol whose name is nearly the same.
  case notFound(service: String, named: String?, available: [String], images: [String], nearest: String?)

  /// There are implementations, but none that can be used; the diagnostics say why.
  case unusable(service: String, named: String?, problems: [Diagnostic])

  /// The implementation is made on a global actor, and this is not that actor.
  case wrongIsolation(service: String, implementation: String, image: LoadedImage?, actor: String)

  /// Making the service asked for the service: what was being made, from the first to itself.
  case cycle(path: [CycleStep])

  /// The implementation's initializer threw.
  case initializerFailed(service: String, implementation: String, image: LoadedImage?, underlying: any Error)

  /// A strict scope neither overrides nor allows the service.
  ///
  /// `implementation` and `image` are what would have been used outside of the scope; nil if there is nothing.
  case liveService(service: String, named: String?, implementation: String?, image: LoadedImage?)

  /// What happened and what to do about it.
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

  /// One error for what neither a manager nor its parent has.
  func joined(withParent other: ServiceError) -> ServiceError {
    guard case .notFound(let service, let named, var available, var images, let nearest) = self else { return self }
    // Why something there cannot be used says more than that nothing is here.
    guard case .notFound(_, _, let others, let otherImages, let otherNearest) = other else { return other }
    available = Set(available + others).sorted()
    images += otherImages.filter { !images.contains($0) }
    return .notFound(
      service: service, named: named, available: available, images: images, nearest: nearest ?? otherNearest)
  }

  /// The first of some words, and how many more there are: records may be many.
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
