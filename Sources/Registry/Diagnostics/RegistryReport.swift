/// The records, the registrations, and the diagnostics of a manager.
///
/// The product `RegistryReports` adds the method `report()` to service and module managers. Print
/// the report to see what a manager uses and why:
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
  package let sections: [Section]

  package final class Section: Sendable {
    private let title: String
    private let lines: [String]
    /// The values that the lines describe, in a type known to the code that creates the report.
    package let contents: (any Sendable)?

    package init(_ title: String, _ lines: [String], contents: (any Sendable)? = nil) {
      self.title = title
      self.lines = lines
      self.contents = contents
    }

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
  /// A service manager lists each service's implementations, with reasons if they are not selected.
  /// A module manager also lists the modules in setup order and each event's subscribers in
  /// calling order. A router lists its routes and actions. The text is for people and changes
  /// between versions.
  public var description: String {
    sections.map(\.text).joined() + Section("Records", records.map(\.description)).text
      + Section("Diagnostics", diagnostics.map(\.description)).text
  }
}
