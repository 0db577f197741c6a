// These properties parse the JSON on each access. Few callers need them, so records do not store
// the values.

extension ExportedRecord {
  /// The name of the exported module or class, as the record spells it.
  ///
  /// An example is `Cart.DefaultCart`. The value is nil if the record names no class, or if its
  /// JSON is invalid. Reading the property takes about a microsecond.
  public var typeName: String? { member(kind == .module ? "module" : "class") }

  /// The name of the service's protocol, as the source code spells it.
  ///
  /// The name can lack the module, or be that of a type alias. The value is nil if the record
  /// exports no service, or if its JSON is invalid. Reading the property takes about a microsecond.
  public var serviceName: String? { kind == .service ? member("protocol") : nil }

  /// The source location of the exported contribution, or handler of an event, a route, or an
  /// action.
  ///
  /// An example is `Shop/Greeting.swift:12:1`. The value is nil if the record exports no handler,
  /// or if its JSON is invalid. Reading the property takes about a microsecond.
  public var handlerName: String? {
    switch kind {
    case .handler, .route, .action, .contribution: member("handler")
    default: nil
    }
  }

  /// The route, as the source code spells it.
  ///
  /// An example is `.orderDetail`. The value is nil if the record exports no handler of a route, or
  /// if its JSON is invalid. Reading the property takes about a microsecond.
  public var routeName: String? { kind == .route ? member("route") : nil }

  /// The target and the name of the action, separated by a period.
  ///
  /// An example is `orders.show`. The value is nil if the record exports no action, or if its JSON
  /// is invalid. Reading the property takes a few microseconds, because it parses the JSON twice.
  public var actionName: String? {
    guard kind == .action, let target = member("target"), let action = member("action") else { return nil }
    return "\(target).\(action)"
  }

  /// The contribution point, as the source code spells it.
  ///
  /// An example is `.menu`. The value is nil if the record exports no contribution, or if its JSON
  /// is invalid. Reading the property takes about a microsecond.
  public var pointName: String? { kind == .contribution ? member("point") : nil }

  /// The address of the copied JSON, which identifies the record in this process.
  package var address: UInt { withJSON { UInt(bitPattern: $0.baseAddress) } }

  /// Returns a string member of the JSON object, or nil if there is none or the JSON is invalid.
  private func member(_ name: StaticString) -> String? {
    var member = Member(name: name)
    do throws(JSONError) {
      try withJSON { bytes throws(JSONError) in try member.read(bytes) }
    } catch {
      return nil
    }
    return member.text
  }

  /// The text of one member of a record.
  private struct Member: JSONMembers {
    let name: StaticString
    var text: String?
    var problem: String? { nil }

    mutating func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
      if name ~= key { text = try reader.string() } else { try reader.skip() }
    }
  }
}
