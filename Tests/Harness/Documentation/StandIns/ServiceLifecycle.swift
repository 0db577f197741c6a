// The part of swift-service-lifecycle 2.13 that the blocks of Documentation/Servers.md use.
public import Logging

public protocol Service: Sendable {
  func run() async throws
}

public struct UnixSignal: Hashable, Sendable {
  public static let sigint = UnixSignal()
  public static let sigterm = UnixSignal()
}

public actor ServiceGroup: Sendable {
  public init(
    services: [any Service], gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
    logger: Logger
  ) {}

  public func run() async throws {}
  public func triggerGracefulShutdown() async {}
}

public func withGracefulShutdownHandler<T>(
  isolation: isolated (any Actor)? = #isolation, operation: () async throws -> T,
  onGracefulShutdown handler: @Sendable @escaping () -> Void
) async rethrows -> T { try await operation() }

public func gracefulShutdown() async throws {}
