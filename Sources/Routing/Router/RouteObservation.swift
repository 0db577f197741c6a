public import Registry

/// A notification that a request began or ended.
public struct RouteObservation: Sendable {
  /// The number of the request, unique among the router's observed requests.
  public let id: Int
  /// The request before redirections. ``RouteOutcome/request`` is the request that was opened.
  public let request: RouteRequest
  /// The result of the request, or nil at its beginning.
  public internal(set) var result: Result<RouteOutcome, any Error>?
  /// The duration of the request in nanoseconds, or zero at its beginning.
  public internal(set) var nanoseconds: UInt64 = 0
}

extension Router: IntervalSource {
  /// Registers a closure that observes each request for a route, including requests that fail.
  ///
  /// The closure runs on the caller's actor, or on any thread if the caller isn't on an actor.
  ///
  /// - Parameter observer: A closure that receives the beginning and the end of each request.
  /// - Returns: A token that removes the observer.
  @discardableResult
  public func observe(_ observer: @escaping @Sendable (RouteObservation) -> Void) -> RegistrationToken {
    add(observer, to: \.observers)
  }

  /// Registers a closure that observes each request for a route as an interval of the kind `route`.
  ///
  /// At the end, the interval's name is the identifier of the route, `(not found)` for a request
  /// that an ``onNotFound(fileID:line:_:)`` closure handled, or `(failed)` for a failed request.
  ///
  /// - Parameter observer: A closure that is called as described for ``observe(_:)``.
  /// - Returns: A token that removes the observer.
  @discardableResult
  public nonisolated func observeIntervals(
    _ observer: @escaping @Sendable (ObservedInterval) -> Void
  ) -> RegistrationToken {
    observe { observation in
      let (name, hasEnded) =
        switch observation.result {
        case nil: ("", false)
        case .success(let outcome)?: (outcome.request.routeID ?? "(not found)", true)
        case .failure?: ("(failed)", true)
        }
      observer(
        ObservedInterval(id: observation.id, kind: "route", name: name, isConcurrent: true, hasEnded: hasEnded))
    }
  }

  /// Notifies observers that a request begins, and returns a closure that notifies the same
  /// observers of its end. Returns nil if there are no observers.
  func beginObserving(_ request: RouteRequest) -> ((Result<RouteOutcome, any Error>) -> Void)? {
    let (observers, number) = state.withLock { state in
      let observers = state.observers.closures
      if !observers.isEmpty { state.openings += 1 }
      return (observers, state.openings)
    }
    guard !observers.isEmpty else { return nil }
    var observation = RouteObservation(id: number, request: request)
    for observer in observers { observer(observation) }
    let (start, now) = (now(), now)
    return { result in
      let end = now()
      observation.result = result
      observation.nanoseconds = end > start ? end - start : 0
      for observer in observers { observer(observation) }
    }
  }
}
