public import Registry

/// The services of a SwiftUI preview, which precede all others in the shared manager.
///
/// The trait `services` of a preview and the modifier `previewServices` of a view pass a value to
/// their closure:
///
/// ```swift
/// #Preview(traits: .services { $0.register(CartService.self) { MockCart() } }) { CartView() }
/// ```
///
/// The registrations end when another preview registers its services, and when SwiftUI removes the
/// preview.
public struct PreviewServices {
  private(set) var tokens: [RegistrationToken] = []

  /// Registers a factory, which creates an instance for each lookup.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance, on the thread of the lookup, or on the
  ///     closure's actor if it has one.
  public mutating func register<Service>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    tokens.append(
      ServiceManager.shared.register(
        type, named: name, replacing: true, fileID: fileID, line: line, factory: factory))
  }

  /// Registers a factory for a sendable service, which creates an instance for each lookup.
  ///
  /// The compiler prefers this method for a service that is `Sendable`. Lookups of sendable types
  /// can use the implementation. Otherwise, it is the method for other services.
  public mutating func register<Service: Sendable>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    tokens.append(
      ServiceManager.shared.register(
        type, named: name, replacing: true, fileID: fileID, line: line, factory: factory))
  }

  /// Registers a factory whose instances have a given lifetime, which ends with the preview.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`, which must be `Sendable`.
  ///   - scope: The lifetime of instances.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance, on the thread of the lookup, or on the
  ///     closure's actor if it has one.
  public mutating func register<Service: Sendable>(
    _ type: Service.Type, scope: ServiceScope, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line, factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    tokens.append(
      ServiceManager.shared.register(
        type, scope: scope, named: name, replacing: true, fileID: fileID, line: line, factory: factory))
  }
}
