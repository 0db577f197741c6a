/// The records, the registrations, and the diagnostics of a manager or router.
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
  /// The records that the manager and its parents read, in load order for each manager.
  public let records: [ExportedRecord]
  /// The diagnostics of the manager and its parents so far, oldest first for each manager.
  ///
  /// A manager keeps at most 1,000 different diagnostics.
  public let diagnostics: [Diagnostic]
  @usableFromInline package let sections: [Section]

  @usableFromInline package typealias Section = (title: String, lines: [String])

  /// The registrations, the records, and the diagnostics, as sections of text.
  ///
  /// A service manager lists each service's implementations, and why lookups ignore any of them. A
  /// module manager also lists the modules in setup order and each event's subscribers in calling
  /// order. A router lists its routes and actions. The text is for people and can change between
  /// versions.
  public let description: String

  // Emitted into the modules that create reports, so that other apps don't carry this code.
  @_alwaysEmitIntoClient
  package init(sections: [Section], records: [ExportedRecord], diagnostics: [Diagnostic]) {
    self.sections = sections
    self.records = records
    self.diagnostics = diagnostics
    let all = sections + [("Records", records.map(\.description)), ("Diagnostics", diagnostics.map(\.description))]
    description = all.map { title, lines in
      "\(title):\n" + (lines.isEmpty ? ["none"] : lines).map { "  \($0)\n" }.joined()
    }.joined()
  }
}
