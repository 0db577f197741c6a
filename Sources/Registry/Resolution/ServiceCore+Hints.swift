extension ServiceCore {
  /// Returns the error with the name of an exported protocol that is spelled similarly.
  ///
  /// The names are compared outside the lock, and no more than ``Swift/String/comparedNames``.
  func hinted(_ error: ServiceError) -> ServiceError {
    guard case .notFound(let service, let named, let available, let images, nil) = error else { return error }
    let (unclaimed, known) = state.withLock { state in
      (
        Array(state.unclaimed.keys.prefix(String.comparedNames)),
        // The records of one service spell its name in few different ways.
        state.groups.values.prefix(String.comparedNames).flatMap { $0.entries.prefix(4).map(\.service) }
      )
    }
    let own = service.split(separator: ".").last.map(String.init) ?? service
    let spellings = Set(known)
    // Swift records spell the protocol as the user did, often without its module.
    let nearest =
      service.nearest(in: unclaimed) ?? own.nearest(in: spellings) ?? service.nearest(in: spellings)
    return .notFound(service: service, named: named, available: available, images: images, nearest: nearest)
  }
}
