// The errors of lookups, with the problems and their fixes.

extension ServiceError {
  /// No implementation with the requested name exists.
  ///
  /// - Parameters:
  ///   - named: The requested name; nil for an implementation without a name.
  ///   - available: The names of the implementations that exist.
  ///   - scans: The scans of the managers that read records; nil if none does.
  ///   - nearest: The name of a similar service, or the requested service itself if it has an
  ///     implementation without a name.
  @inline(never)
  static func notFound(
    _ service: String, _ named: String?, available: [String], scans: [RecordScan]?, nearest: String?
  ) -> ServiceError {
    ServiceError(.noService, service, available: available) {
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
      guard let images = scans.map(namesOfImages) else {
        return "\(problem) was found, and this manager reads no records; create it with 'records: .loadedImages' or"
          + " 'parent: .shared', use 'ServiceManager.shared', pass 'services: .shared' to the 'ModuleManager' in a test,"
          + " or register one with 'register(_:factory:)'\(hint)"
      }
      let export = metatype(of: service).map { " export one with '@ExportService(\($0)\(argument(named)))'," } ?? ""
      let scope =
        images.isEmpty
        ? ", and no image from which the manager reads exports records" : " in \(images.quotedList("and", limit: 8))"
      return "\(problem) was found\(scope); link the target that exports it,\(export) or register one with"
        + " 'register(_:factory:)'\(hint)"
    }
  }

  /// Returns the distinct names of the images with records, and of those that couldn't be read.
  private static func namesOfImages(in scans: [RecordScan]) -> [String] {
    var names: [String] = []
    for scan in scans {
      for image in scan.images where !image.records.isEmpty { names.append("\(image.image)") }
      for image in scan.unread {
        let image = LoadedImage(path: image.path, serial: 0, batch: 0)
        names.append("\(image) (not read yet, because the loader refuses to keep it loaded)")
      }
    }
    var known: Set<String> = []
    return names.filter { known.add($0) }
  }

  /// The manager can't find the service, for the reason that the problem and its fix state.
  static func excluded(_ service: String, _ problem: String) -> ServiceError {
    ServiceError(.noService, service) { problem }
  }

  /// The manager was released.
  static func released(_ service: String) -> ServiceError {
    ServiceError(.noService, service) {
      "\(service.quotedForDisplay()) cannot be looked up, because the manager was released, and the manager that an"
        + " initializer receives does not keep itself alive; keep the manager, or its module manager, as long as its"
        + " services are in use"
    }
  }

  static func unusable(_ service: String, _ named: String?, _ problems: [Diagnostic]) -> ServiceError {
    ServiceError(.unusableService, service, diagnostics: problems) {
      "no implementation of \(spell(service, named)) can be used: "
        + problems.prefix(4).map(\.textInMessage).joined(separator: "; ")
        + (problems.count > 4 ? "; and \(problems.count - 4) more" : "")
    }
  }

  /// The implementation must be created on an actor that the calling code is not on.
  static func wrongIsolation(_ entry: ServiceEntry, _ actor: any Actor) -> ServiceError {
    let (service, implementation, image) = (entry.service, entry.implementation, entry.image)
    let type = String(describing: Swift.type(of: actor))
    return ServiceError(.wrongIsolation, service, actor: actor) {
      let label = implementation.implementationForDisplay(in: image)
      let (verb, calls) =
        service.isContributionPoint
        ? ("contributes to", ("contributions(to:)", "allContributions(to:)"))
        : ("implements", ("createService(for:)", "service(for:)"))
      return "\(label) \(verb) \(service.quotedForDisplay()) and is isolated to \(type.quotedForDisplay()); call"
        + " '\(calls.0)' on that actor, or call 'try await \(calls.1)'"
    }
  }

  /// The lookup requires a `Sendable` type, but the implementation was exported or registered for a
  /// type that isn't.
  // Not inlined, to keep the stack frames of nested lookups small.
  @inline(never)
  static func notSendable(_ entry: ServiceEntry) -> ServiceError {
    let (service, implementation, image) = (entry.service, entry.implementation, entry.image)
    return ServiceError(.unsendableService, service) {
      let label = implementation.implementationForDisplay(in: image)
      let (verb, hint) = image != nil ? ("export", "") : ("register", " (in a generic function, 'Service: Sendable')")
      let text =
        "\(label) implements \(service.quotedForDisplay()), which is not 'Sendable' where it is \(verb)ed, but the"
        + " caller uses the service as a 'Sendable' type; declare it as 'Sendable'\(hint)"
      guard let type = metatype(of: service), let marked = metatype(of: "\(service) & Sendable") else { return text }
      return "\(text), \(verb) it as '\(marked)', or look up '\(type)' on the actor that uses the instance"
    }
  }

  static func initializerFailed(_ entry: ServiceEntry, _ error: any Error) -> ServiceError {
    let (service, implementation, image) = (entry.service, entry.implementation, entry.image)
    return ServiceError(.initializerFailed, service, underlying: error) {
      let label = implementation.implementationForDisplay(in: image)
      return "the creation of \(service.quotedForDisplay()) by \(label) threw an error: \(error)"
    }
  }

  /// A strict test scope neither overrides nor allows the service.
  ///
  /// - Parameters:
  ///   - live: The implementation outside the scope, or nil.
  ///   - provided: The names of the implementations in the scope, with nil for an implementation
  ///     without a name.
  static func liveService(
    _ service: String, _ named: String?, live: ServiceEntry?, provided: [String?]
  ) -> ServiceError {
    let live = live?.label
    return ServiceError(.liveService, service) {
      let names = provided.map { $0.map { "with the name \($0.quotedForDisplay())" } ?? "without a name" }
      let problem =
        "\(spell(service, named)) is neither overridden nor allowed in a strict test scope"
        + (names.isEmpty ? "" : ", which provides it only \(names.joined(separator: " and "))")
      if service.isContributionPoint {
        return "\(problem); pass values with 'contribute(to:)', or allow \(live ?? "contributions") with"
          + " 'allowLive(_:)'"
      }
      let type = metatype(of: service)
      let fix = "override it with '\(type.map { "override(\($0)\(argument(named))) { … }" } ?? "override(_:factory:)")'"
      guard let live else { return "\(problem), and nothing implements it outside the scope; \(fix)" }
      return "\(problem); \(fix), or allow \(live) with 'allowLive(\(type ?? "_:"))'"
    }
  }

  // MARK: - Parts of texts

  /// Returns the Swift expression for a service's type, such as `CartService.self`.
  ///
  /// The result is nil if the name does not determine the type, as for generic types, tuples,
  /// functions, and raw identifiers.
  private static func metatype(of service: String) -> String? {
    var types: [String] = []
    for (index, word) in service.parts(separatedBy: " ").enumerated() {
      if index.isMultiple(of: 2) {
        var names = word.parts(separatedBy: ".")
        if names.count > 1 { names.removeFirst() }
        guard names.allSatisfy(isIdentifier) else { return nil }
        types.append(names.joined(separator: "."))
      } else if word != "&" {
        return nil
      }
    }
    return types.count == 1 ? "\(types[0]).self" : "(any \(types.joined(separator: " & "))).self"
  }

  private static func argument(_ named: String?) -> String {
    named.map { ", named: \($0.debugDescription.escapedForDisplay())" } ?? ""
  }
}
