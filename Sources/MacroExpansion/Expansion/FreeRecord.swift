/// A record of a macro of the form `#name(…)`, and the checks that these macros perform.
///
/// The names have the compiler's form for unique names, so the macro announces no names, which it
/// could not do at the top level.
struct FreeRecord {
  let location: HandlerLocation
  private let context: LexicalContext
  private let discriminator: String

  /// Checks the location of the macro and adds problems.
  init(
    _ request: HostMessage.FreestandingMacro, _ source: Source, _ macro: FreeMacro,
    _ configuration: BuildConfiguration, _ problems: inout [Problem]
  ) {
    location = HandlerLocation(request.syntax, source)
    discriminator = request.discriminator
    context = LexicalContext(request.lexicalContext ?? [], discriminator: discriminator, module: location.module)
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

  /// The name of the function that ``text(kind:accessor:json:function:)`` creates.
  var functionName: String { context.isInType ? name("8functionfMu_") : "__function" }

  /// Returns the declarations.
  ///
  /// - Parameters:
  ///   - function: The parameters and body of a static function with the name ``functionName``,
  ///     whose isolation the compiler infers at this location.
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
    // In a separate type, because an unused constant at the top level of a script causes a warning.
    // The type names itself where only its own file can find it; otherwise the compiler would
    // silently drop it inside a statement of a script.
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
  /// The alternative at run time.
  let atRunTime: String
  /// The usage, and the first argument that the macro requires.
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
