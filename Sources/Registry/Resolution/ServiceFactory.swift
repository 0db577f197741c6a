/// Makes instances of one implementation.
///
/// Non-generic, so that a table can hold it; what is asked of it is asked with the service's own type.
class AnyServiceFactory: @unchecked Sendable {
  // Unchecked: immutable. The function is called on its own actor only, see `make()`.

  /// The actor that instances are made on, if it matters.
  let isolation: (any Actor)?

  init(isolation: (any Actor)?) {
    self.isolation = isolation
  }
}

/// Makes instances as `Service`.
final class ServiceFactory<Service>: AnyServiceFactory, @unchecked Sendable {
  private let function: @isolated(any) () throws -> Service

  init(_ function: @escaping @isolated(any) () throws -> Service) {
    self.function = function
    super.init(isolation: function.isolation)
  }

  /// Makes one. The caller is on its actor, if it has one.
  ///
  /// An `@isolated(any)` function is called like any other; the actor in its context only says where. The type system has no
  /// way to say "I am on that actor already". The two classes are laid out alike, as isolation is in a function's type and not in its
  /// value; casting the function itself would wrap it in two thunks, which every call goes through.
  @inline(__always)
  func make() throws -> Service {
    try Unmanaged<UnisolatedFactory<Service>>.fromOpaque(Unmanaged.passUnretained(self).toOpaque())
      ._withUnsafeGuaranteedRef { try $0.function() }
  }
}

/// What a ``ServiceFactory`` looks like to code that is where its function belongs. Never made.
private final class UnisolatedFactory<Service>: AnyServiceFactory, @unchecked Sendable {
  let function: () throws -> Service

  private init(_ function: @escaping () throws -> Service) {
    self.function = function
    super.init(isolation: nil)
  }
}
