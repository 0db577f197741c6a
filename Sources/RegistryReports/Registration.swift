public import Registry

extension RegistryReport {
  /// The service implementations that code or a manifest registered, sorted by manager, service,
  /// and name, and then by preference.
  public var registrations: [Registration] {
    sections.flatMap { $0.contents as? [Registration] ?? [] }
  }

  /// A service implementation that code or a manifest registered.
  public struct Registration: Sendable, Hashable, CustomStringConvertible {
    /// The name of the service, such as `ShopAPI.CartService`.
    public let service: String
    /// The name that distinguishes implementations of one service.
    public let name: String?
    /// The name of the class, if the implementation was registered by that name; nil for a factory.
    public let className: String?
    /// The lifetime of instances.
    public let scope: ServiceScope
    /// The priority of the implementation.
    public let priority: Int
    /// The file and the line of the registration, such as `Shop/Main.swift:12`, or the position in
    /// a manifest.
    public let location: String
    /// A Boolean value that indicates whether lookups use the implementation.
    public let isSelected: Bool

    public var description: String {
      let name = name.map { ", named \($0.quotedForDisplay())" } ?? ""
      return "\(service.escapedForDisplay())\(name), registered at \(location.escapedForDisplay())"
    }
  }
}
