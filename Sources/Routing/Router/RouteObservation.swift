public import Registry

/// What an observer is told: an opening begins, or it has ended.
public struct RouteObservation: Sendable {
  public enum Phase: Sendable {
    case began
    /// With what came of it, and how long it took.
    case ended(Result<RouteOutcome, any Error>, nanoseconds: UInt64)
  }

  /// Tells openings of one router apart.
  public let number: Int
  /// What was asked for. When it has ended, ``RouteOutcome/request`` says what it came to.
  public let request: RouteRequest
  public let phase: Phase
}

extension Router {
  /// Tells a closure of each opening from now on, also of those that fail; on whatever thread that is.
  ///
  /// - Returns: What takes it out; it stays if that is let go of.
  @discardableResult
  public func observe(_ observer: @escaping @Sendable (RouteObservation) -> Void) -> RegistrationToken {
    add(observer, to: \.observers)
  }

  /// Tells observers of what the body does. Those that come meanwhile hear of the next opening.
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
