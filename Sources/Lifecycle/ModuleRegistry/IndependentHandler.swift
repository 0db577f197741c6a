package import Registry

/// A handler that belongs to no module.
struct IndependentHandler {
  enum Origin {
    /// The accessor of a handler's record.
    case exported(RecordAccessor)
    /// A handler that was passed to the manager.
    case given(EventHandler)
  }

  struct Refused: Error {}

  let origin: Origin
  /// A Boolean value that indicates whether the handler runs only for the first event.
  let once: Bool

  /// Returns the handler. An exported handler is added by its accessor.
  @MainActor func handler() throws(Refused) -> EventHandler {
    switch origin {
    case .given(let handler): return once ? handler.calledOnce() : handler
    case .exported(let accessor):
      guard let provider: __HandlerProvider = provided(by: accessor) else { throw Refused() }
      let handlers = __EventHandlers()
      provider.subscribe(handlers)
      guard handlers.handlers.count == 1 else { throw Refused() }
      return once ? handlers.handlers[0].calledOnce() : handlers.handlers[0]
    }
  }

  /// A Boolean value that indicates whether the handler is removed after its only call.
  ///
  /// An exported handler is called again after the next start.
  var isRemovedAfterCall: Bool {
    if case .given = origin { true } else { false }
  }
}

/// The object that events reach in place of a module, for handlers that belong to none.
final class HandlerPlaceholder: Module {}

/// The contents of a handler's record. Missing members have their defaults.
package struct HandlerAttributes {
  package var event = ""
  package var handler = ""
  package var priority = 0
  package var once = false

  /// Reads the JSON of a record and ignores unknown members.
  ///
  /// The known members are `event`, `handler`, `priority`, and `once`.
  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(json)
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "event": event = try reader.string()
      case "handler": handler = try reader.string()
      case "priority": priority = try reader.integer()
      case "once": once = try reader.boolean()
      default: try reader.skip()
      }
    }
    try reader.end()
    if event.isEmpty { throw reader.error("missing member 'event'") }
    if handler.isEmpty { throw reader.error("missing member 'handler'") }
    // No module's name contains a slash, so a handler cannot replace a module.
    guard handler.utf8.contains(UInt8(ascii: "/")) else {
      throw reader.error("malformed handler '\(handler.escapedForDisplay())' (expected 'Module/File.swift:1:1')")
    }
  }

  init(of record: ExportedRecord) throws(JSONError) {
    self = try record.withJSON { bytes throws(JSONError) in try HandlerAttributes(bytes) }
  }
}
