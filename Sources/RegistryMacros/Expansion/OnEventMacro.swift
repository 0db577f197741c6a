/// Expands `#onEvent`; nil when something is wrong.
///
/// The names have the compiler's form, which no other declaration has, so that the macro needs to announce none: at the top
/// level it could not.
///
/// The compiler has checked the arguments against the macro's declaration by now. They are handed on as they stand, to a
/// method with the same parameters; `#sourceLocation` has errors and `#line` in the handler be those of the user's file.
func expandOnEvent(
  _ request: HostMessage.FreestandingMacro, _ source: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let place = HandlerPlace(request.syntax, source)
  let context = LexicalContext(
    request.lexicalContext ?? [], discriminator: request.discriminator, module: place.module)
  switch context.obstacle {
  case .local: problems.append(.localHandler)
  case .generic(let outer): problems.append(.genericHandler(outer))
  case .inProtocol(let outer): problems.append(.handlerInProtocol(outer))
  case nil: break
  }
  if let formats = configuration.unknownObjectFormats { problems.append(.objectFormat("#onEvent", formats)) }
  let arguments = HandlerArguments(source, &problems)
  guard problems.isEmpty else { return nil }

  var json = JSONObject()
  json.set("event", arguments.event)
  json.set("handler", place.name)
  if arguments.priority != 0 { json.set("priority", arguments.priority) }
  if arguments.once { json.set("once", true) }
  let handler = """
    return unsafe Lifecycle::__provideHandler(__out, __type) { __handlers in
    \(place.begin(skipping: arguments.skippedLines))
    __handlers.on\(arguments.text)
    \(place.end)
    }
    """
  let name = "\(request.discriminator)8RegistryfMu_"
  let record = Record(
    kind: Record.handler,
    machOSection: "__DATA,__reg_exports",
    accessor: [handler],
    json: json.text,
    isStatic: true,
    name: context.isInType ? name : "record"
  ).text
  if context.isInType { return record }
  // In a type of its own: in a script, a constant of the top level that nothing uses gets a warning. That type names itself,
  // as it can where it is looked up in the file alone: inside a statement of a script the compiler would else drop it silently.
  return """
    private nonisolated enum \(name) {
    private typealias Here = \(name)
    \(record)
    }
    """
}

/// Where a handler stands in its file.
struct HandlerPlace {
  let module: String
  /// The file as the compiler calls it.
  let file: String
  let line: Int
  /// What the handler is known by: `Module/File.swift:12:1`. With the column, as a line may have several.
  let name: String

  /// - Parameter source: The macro as it stands there. What its location is that of begins with white space and comments.
  init(_ syntax: HostMessage.Syntax, _ source: Source) {
    let location = syntax.location
    let fileID = location?.fileID ?? ""
    module = String(fileID.prefix { $0 != "/" })
    file = location?.fileName ?? ""
    let start = source.tokens.first?.range.lowerBound ?? 0
    let breaks = source.lineBreaks(in: 0..<start)
    line = (location?.line ?? 1) + breaks
    let lineStart = source.bytes[..<start].lastIndex(where: \.isNewline).map { $0 + 1 }
    let column = lineStart.map { start - $0 + 1 } ?? ((location?.column ?? 1) + start)
    name = "\(fileID):\(line):\(column)"
  }

  /// Has what follows be in the user's file. Nothing where the file's name would need escapes, which may not stand there.
  func begin(skipping lines: Int) -> String {
    isPlain ? "#sourceLocation(file: \"\(file)\", line: \(line + lines))" : ""
  }

  /// Has what follows be in the expansion again.
  var end: String { isPlain ? "#sourceLocation()" : "" }

  private var isPlain: Bool {
    !file.isEmpty && file.unicodeScalars.allSatisfy { $0 != "\"" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7f }
  }
}
