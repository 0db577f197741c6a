public import Registry

/// A notification that a request begins or has ended.
public struct RouteObservation: Sendable {
  /// The phase of a request.
  public enum Phase: Sendable {
    /// The beginning of the request.
    case began
    /// The end of the request, with its result and its duration in nanoseconds.
    case ended(Result<RouteOutcome, any Error>, nanoseconds: UInt64)
  }

  /// The number of the request, which is unique among the observed requests of a router.
  public let number: Int
  /// The request before redirections. ``RouteOutcome/request`` is the one that was opened.
  public let request: RouteRequest
  /// The phase of the request.
  public let phase: Phase
}

extension Router {
  /// Registers a closure that observes each request, including requests that fail.
  ///
  /// The router calls the closure on the thread that opens the route, which can be any thread.
  ///
  /// - Parameter observer: A closure that receives the beginning and the end of each request.
  /// - Returns: A token that removes the observer.
  @discardableResult
  public func observe(_ observer: @escaping @Sendable (RouteObservation) -> Void) -> RegistrationToken {
    add(observer, to: \.observers)
  }

  /// Notifies observers of the beginning and the end of a request that the body processes.
  ///
  /// An observer that is added meanwhile receives only later requests.
  nonisolated(nonsending) func observing(
    _ request: RouteRequest, _ body: nonisolated(nonsending) () async throws -> Opened
  ) async throws -> Opened {
    let (observers, number) = state.withLock { state in
      let observers = state.observers.closures
      if !observers.isEmpty { state.openings += 1 }
      return (observers, state.openings)
    }
    guard !observers.isEmpty else { return try await body() }
    for observer in observers { observer(RouteObservation(number: number, request: request, phase: .began)) }
    let start = now()
    let result: Result<Opened, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    let end = now()
    let phase = RouteObservation.Phase.ended(result.map(\.outcome), nanoseconds: end > start ? end - start : 0)
    for observer in observers { observer(RouteObservation(number: number, request: request, phase: phase)) }
    return try result.get()
  }
}
