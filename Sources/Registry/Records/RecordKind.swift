internal import RegistryC

/// The kind of declaration that a record describes, stored as a four-character code.
public struct RecordKind: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Returns the kind that a record's code contains, and whether the record belongs to a group. An
  /// uppercase first letter in the code indicates a group.
  package static func read(_ code: UInt32) -> (kind: RecordKind, isGrouped: Bool) {
    let isGrouped = UInt32(UInt8(ascii: "A"))...UInt32(UInt8(ascii: "Z")) ~= code >> 24
    return (RecordKind(rawValue: isGrouped ? code | REGISTRY_UNGROUPED : code), isGrouped)
  }

  /// A module.
  public static let module = RecordKind(rawValue: REGISTRY_KIND_MODULE)
  /// An implementation of a service.
  public static let service = RecordKind(rawValue: REGISTRY_KIND_SERVICE)
  /// An event handler that belongs to no module.
  public static let handler = RecordKind(rawValue: REGISTRY_KIND_HANDLER)
  /// A handler of a route.
  public static let route = RecordKind(rawValue: REGISTRY_KIND_ROUTE)
  /// An action.
  public static let action = RecordKind(rawValue: REGISTRY_KIND_ACTION)
  /// A service, route, module, or contribution point that code needs.
  public static let need = RecordKind(rawValue: REGISTRY_KIND_NEED)
  /// A contribution to a contribution point.
  public static let contribution = RecordKind(rawValue: REGISTRY_KIND_CONTRIBUTION)
  /// A copy of this library; see `two-copies`. No ``ExportedRecord`` has this kind.
  package static let library = RecordKind(rawValue: REGISTRY_KIND_LIBRARY)

  /// The problem with a record without an accessor; nil for a kind whose records need none.
  package var problemWithoutAccessor: String? {
    switch self {
    case .handler: "the record of a handler has no accessor; export the handler with '#onEvent'"
    case .route: "the record of a route has no accessor; export the route with '#exportRoute'"
    case .contribution: "the record of a contribution has no accessor; contribute the value with '#contribute'"
    case .action: "the record of an action has no accessor; export the action with '#exportAction'"
    default: nil
    }
  }

  /// The four characters of the code, or its number if they are not printable.
  public var description: String {
    var text = ""
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      guard (0x20...0x7e).contains(byte) else { return "0x" + String(rawValue, radix: 16) }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }
}
