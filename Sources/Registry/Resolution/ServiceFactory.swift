/// A factory for the instances of one implementation, without the service's type.
class AnyServiceFactory: @unchecked Sendable {
  // Unchecked: all properties are constants, and the function is called on its own actor only; see
  // `make()`.

  /// The actor that creates instances; nil if any thread can create them.
  let isolation: (any Actor)?

  init(isolation: (any Actor)?) {
    self.isolation = isolation
  }
}

/// A factory for the instances of one implementation of `Service`.
final class ServiceFactory<Service>: AnyServiceFactory, @unchecked Sendable {
  private let function: () throws -> Service

  init(_ function: @escaping @isolated(any) () throws -> Service) {
    self.function = withoutIsolation(function)
    super.init(isolation: function.isolation)
  }

  /// Creates an instance. The caller must run on the factory's actor, if it has one.
  @inline(__always)
  func make() throws -> Service { try function() }
}
