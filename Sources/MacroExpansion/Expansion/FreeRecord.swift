/// A record that a macro of the form `#name(…)` expands to, and the checks that each of them makes.
///
/// The names have the compiler's form, which no other declaration has, so that the macro needs to announce none: at the top
/// level it could not.
struct FreeRecord {
  let place: HandlerPlace
  private let context: LexicalContext
  private let discriminator: String

  /// Looks at where the macro stands and notes what is wrong.
  init(
    _ request: HostMessage.FreestandingMacro, _ source: Source, _ macro: FreeMacro,
    _ configuration: BuildConfiguration, _ problems: inout [Problem]
  ) {
    place = HandlerPlace(request.syntax, source)
    discriminator = request.discriminator
    context = LexicalContext(request.lexicalContext ?? [], discriminator: discriminator, module: place.module)
    switch context.obstacle {
    case .local: problems.append(.localHandler(macro))
    case .generic(let outer): problems.append(.genericHandler(macro, outer))
    case .inProtocol(let outer): problems.append(.handlerInProtocol(macro, outer))
    case nil: break
    }
    if let formats = configuration.unknownObjectFormats {
      problems.append(.objectFormat(macro.name, formats, atRunTime: macro.atRunTime))
    }
  }

  /// What a function that ``text(kind:accessor:json:function:)`` makes is called.
  var functionName: String { context.isInType ? name("8functionfMu_") : "__function" }

  /// The declarations.
  ///
  /// - Parameters:
  ///   - function: Parameters and body of a static function of the name ``functionName``. Its isolation is what the compiler finds
  ///     out for a function at this place.
  func text(kind: UInt32, accessor: String, json: JSONObject, function: String? = nil) -> String {
    let type = name("8RegistryfMu_")
    let record = Record(
      kind: kind,
      machOSection: "__DATA,__reg_exports",
      accessor: [accessor],
      json: json.text,
      isStatic: true,
      name: context.isInType ? type : "__record"
    ).text
    let members = record + (function.map { "\nprivate static func \(functionName)\($0)" } ?? "")
    if context.isInType { return context.absence.excluded(from: members) }
    // In a type of its own: in a script, a constant of the top level that nothing uses gets a warning. That type names itself,
    // as it can where it is looked up in the file alone: inside a statement of a script the compiler would else drop it silently.
    return """
      private \(function == nil ? "nonisolated " : "")enum \(type) {
      private typealias __Here = \(type)
      \(members)
      }
      """
  }

  private func name(_ end: String) -> String { discriminator + end }
}

/// A macro of the form `#name(…)` that writes a record.
struct FreeMacro {
  let name: String
  /// What does the same at run time.
  let atRunTime: String
  /// How it is written, and what it wants first.
  let usage: String

  static let onEvent = FreeMacro(
    name: "#onEvent", atRunTime: "subscribe there with 'modules.on(…)'",
    usage: "an event first: '#onEvent(.userDidLogIn) { user, context in … }'")
  static let exportRoute = FreeMacro(
    name: "#exportRoute", atRunTime: "register there with 'router.register(…)'",
    usage: "a route first: '#exportRoute(.orderDetail) { parameters, request in … }'")
  static let exportAction = FreeMacro(
    name: "#exportAction", atRunTime: "register there with 'router.registerAction(…)'",
    usage: "a target and an action first: '#exportAction(\"orders\", \"show\") { (parameters: ShowOrder) in … }'")
}
