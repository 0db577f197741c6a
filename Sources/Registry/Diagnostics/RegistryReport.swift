/// The records, the registrations, and the diagnostics of a manager.
///
/// ``ServiceManager/report()`` creates a report. Print it to see what a manager uses and why:
///
/// ```text
/// Services:
///   ShopAPI.CartService
///     selected: 'Cart.DefaultCart' (Shop), shared, priority 10
///     not selected: 'Legacy.Cart' (Shop), shared, priority 0: its priority is lower
/// Records:
///   …
/// Diagnostics:
///   none
/// ```
public struct RegistryReport: Sendable, CustomStringConvertible {
  /// The records in the manager's images, in load order.
  public let records: [ExportedRecord]
  /// The diagnostics so far, the oldest first.
  ///
  /// A manager keeps at most 1,000 different diagnostics.
  public let diagnostics: [Diagnostic]
  /// The implementations of services that code or a manifest has registered, by service and name,
  /// and then in order of preference.
  public var registrations: [Registration] { sections.flatMap(\.registrations) }
  /// The sections of the description before the records.
  package let sections: [Section]

  /// An implementation of a service that code or a manifest has registered.
  public struct Registration: Sendable, Hashable, CustomStringConvertible {
    /// The name of the service, such as `ShopAPI.CartService`.
    public let service: String
    /// The name that distinguishes implementations of one service.
    public let name: String?
    /// The name of the class, if it was registered by its name; nil for a factory.
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

  /// A part of the description: a title, and indented lines below it.
  package final class Section: Sendable {
    let title: String
    let lines: [String]
    let registrations: [Registration]

    package init(_ title: String, _ lines: [String], registrations: [Registration] = []) {
      self.title = title
      self.lines = lines
      self.registrations = registrations
    }

    var isEmpty: Bool { lines.isEmpty }

    fileprivate var text: String {
      "\(title):\n" + (lines.isEmpty ? ["none"] : lines).map { "  \($0)\n" }.joined()
    }
  }

  package init(sections: [Section], records: [ExportedRecord], diagnostics: [Diagnostic]) {
    self.sections = sections
    self.records = records
    self.diagnostics = diagnostics
  }

  /// The registrations, the records, and the diagnostics, in sections with a line for each.
  ///
  /// A service manager lists the implementations of each service and the reasons why they are not
  /// selected, a module manager also the modules in set-up order and the subscribers of each event
  /// in calling order, and a router its routes and actions. The text is for people, and changes
  /// between versions.
  public var description: String {
    sections.map(\.text).joined() + Section("Records", records.map(\.description)).text
      + Section("Diagnostics", diagnostics.map(\.description)).text
  }
}
