package import Registry

/// Where a manager has a handler from that belongs to no module.
struct FreeHandler {
  enum Origin {
    /// A record's accessor.
    case exported(RecordAccessor)
    /// It was given to the manager.
    case given(EventHandler)
  }

  let origin: Origin
  let once: Bool
  weak var manager: ModuleManager?

  struct Refused: Error {}

  /// The handler, which an exported one's accessor tells.
  @MainActor func subscription() throws(Refused) -> EventHandler {
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

  /// Whether it is gone for good when it was called once: an exported one lives again after the next start.
  var isGoneAfterCall: Bool {
    if case .given = origin { true } else { false }
  }
}

/// What a handler's record says, read from its JSON; what is left out has its default.
package struct HandlerAttributes {
  package var event = ""
  package var handler = ""
  package var priority = 0
  package var once = false

  /// Reads `{"event":…,"handler":…,"priority":…,"once":…}`; other members are passed over.
  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(json)
    try reader.object { reader, key throws(JSONError) in
      switch key {
      case "event": event = try reader.string()
      case "handler": handler = try reader.string()
      case "priority": priority = try reader.integer()
      case "once": once = try reader.boolean()
      default: try reader.skip()
      }
    }
    try reader.end()
    if event.isEmpty { throw reader.error("no \"event\"") }
    if handler.isEmpty { throw reader.error("no \"handler\"") }
    // A slash is in no module's name: a handler must not take one's place.
    guard handler.utf8.contains(UInt8(ascii: "/")) else {
      throw reader.error("the handler \"\(handler.escapedForDisplay())\" that is not of the form Module/File.swift:1:1")
    }
  }

  init(of record: ExportedRecord) throws(JSONError) {
    self = try record.withJSON { bytes throws(JSONError) in try HandlerAttributes(bytes) }
  }
}

/// Stands where a module's instance would be, so that events reach a handler that belongs to none.
@MainActor @usableFromInline final class HandlerPlaceholder {
  private weak var entry: ModuleEntry?
  private weak var manager: ModuleManager?

  @usableFromInline init() {}

  /// Tells it whose it is.
  func belong(to entry: ModuleEntry, of manager: ModuleManager?) {
    self.entry = entry
    self.manager = manager
  }

  /// Starts a handler's task for one event.
  ///
  /// - Parameter module: The placeholder, as a handler is given it.
  @usableFromInline static func start(
    _ module: AnyObject, _ event: StaticString, _ priority: TaskPriority,
    _ work: @escaping @Sendable () async throws -> Void
  ) {
    guard let module = module as? HandlerPlaceholder, let entry = module.entry else { return }
    module.manager?.start(entry, event, priority, work)
  }

  /// Takes a handler out that is called once.
  static func spend(_ module: AnyObject) {
    guard let module = module as? HandlerPlaceholder, let entry = module.entry, entry.spend() else { return }
    module.manager?.remove(entry)
  }
}

extension HandlerPlaceholder: Module {}

extension String {
  /// Sorts texts with numbers in them as people do, `File.swift:9:1` before `File.swift:12:1`.
  var naturalOrderKey: String {
    let width = 10
    var key: [UInt8] = []
    var digits: [UInt8] = []
    func flush() {
      key += repeatElement(UInt8(ascii: "0"), count: max(0, digits.isEmpty ? 0 : width - digits.count))
      key += digits
      digits = []
    }
    for byte in utf8 {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        digits.append(byte)
      } else {
        flush()
        key.append(byte)
      }
    }
    flush()
    // Behind it what tells `1` and `01` apart.
    return String(decoding: key + [0] + Array(utf8), as: UTF8.self)
  }
}
