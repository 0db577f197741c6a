// What a record is about, without reading its JSON by hand. Read anew every time: few ask, and records stay small.

extension ExportedRecord {
  /// The module's or class' name as the record spells it, `"Cart.DefaultCart"`.
  ///
  /// Nil if it names none or its JSON cannot be read. About a microsecond.
  public var typeName: String? { member(kind == .module ? "module" : "class") }

  /// The protocol's name as it was written: with or without its module, or an alias of it.
  ///
  /// Nil if it names none or its JSON cannot be read. About a microsecond.
  public var serviceName: String? { kind == .service ? member("protocol") : nil }

  /// Where the handler stands that the record exports, of an event, a route or an action: `"Shop/Greeting.swift:12:1"`.
  ///
  /// Nil if it exports none or its JSON cannot be read. About a microsecond.
  public var handlerName: String? {
    switch kind {
    case .handler, .route, .action: member("handler")
    default: nil
    }
  }

  /// The route as it was written, `".orderDetail"`.
  ///
  /// Nil if the record is about none or its JSON cannot be read. About a microsecond.
  public var routeName: String? { kind == .route ? member("route") : nil }

  /// The action's target and name, `"orders.show"`.
  ///
  /// Nil if the record is about none or its JSON cannot be read. Some microseconds.
  public var actionName: String? {
    guard kind == .action, let target = member("target"), let action = member("action") else { return nil }
    return "\(target).\(action)"
  }

  /// Tells records of this process apart: each has its own copied bytes.
  package var address: UInt { withJSON { UInt(bitPattern: $0.baseAddress) } }

  /// The text of a member of the JSON object; nil if there is none, or anything about the object is wrong.
  private func member(_ name: StaticString) -> String? {
    var text: String?
    do throws(JSONError) {
      try withJSON { bytes throws(JSONError) in
        var reader = JSONReader(bytes)
        try reader.object { reader, key throws(JSONError) in
          if name ~= key { text = try reader.string() } else { try reader.skip() }
        }
        try reader.end()
      }
    } catch {
      return nil
    }
    return text
  }
}
