/// Answers the compiler that started this process until the connection ends.
///
/// - Parameter check: A function that checks URL patterns, or nil for a plugin without `#pattern`.
package func answerCompiler(checkingPatterns check: PatternCheck? = nil) {
  var session = Session(checkingPatterns: check)
  if let (input, output) = standardFiles() { serve(input, output) { session.answer($0) } }
}

struct Session {
  private var macros = Self.recordMacros
  /// The last build configuration and its text, which requests for expansions usually repeat.
  private var configuration = (text: "", value: BuildConfiguration(.word("")))

  init(checkingPatterns check: PatternCheck? = nil) {
    guard let check else { return }
    macros["PatternMacro"] = Macro(
      kind: .expression, name: "#pattern", expand: { expandPattern($0, check) },
      usage: "one pattern, as in '#pattern(\"shop://order/:id(Int)\")'")
  }

  private static let recordMacros: [String: Macro] = [
    "ExportServiceMacro": Macro(
      kind: .type, name: "@ExportService", expand: expandService,
      usage: "a service, as in '@ExportService(CartService.self)'"),
    "ExportModuleMacro": Macro(kind: .type, name: "@ExportModule", expand: expandModule),
    "ExportRouteTypeMacro": Macro(
      kind: .type, name: "@ExportRoute", expand: expandRouteType, usage: "a route, as in '@ExportRoute(.orderDetail)'"),
    "ServiceMacro": Macro(
      kind: .property, name: "@Service", expand: expandNeededProperty, usage: "@Service var cart: any CartService",
      call: "createService(for:)"),
    "ContributionsMacro": Macro(
      kind: .property, name: "@Contributions", expand: expandContributionsProperty,
      usage: "@Contributions(.menu) var dishes: [Dish]", call: "contributions(to:)"),
    "OnEventMacro": Macro(
      kind: .freestanding, name: "#onEvent", expand: expandOnEvent,
      usage: "an event, as in '#onEvent(.userDidLogIn) { user, context in … }'",
      atRunTime: "subscribe with 'modules.on(…)'"),
    "ExportRouteMacro": Macro(
      kind: .freestanding, name: "#exportRoute", expand: expandRoute,
      usage: "a route, as in '#exportRoute(.orderDetail) { parameters, request in … }'",
      atRunTime: "register the handler with 'router.register(…)'"),
    "ExportActionMacro": Macro(
      kind: .freestanding, name: "#exportAction", expand: expandAction,
      usage: "a target and an action, as in '#exportAction(\"orders\", \"show\") { (parameters: ShowOrder) in … }'",
      atRunTime: "register the action with 'router.registerAction(…)'"),
    "ContributeMacro": Macro(
      kind: .freestanding, name: "#contribute", expand: expandContribution,
      usage: "a contribution point, as in '#contribute(.menu) { Dish(\"soup\") }'",
      atRunTime: "register the value with 'services.contribute(to:)'"),
    // An unavailable overload of another macro. The compiler's message about it is sufficient.
    "UnavailableMacro": Macro(kind: .expression, name: "", expand: { _ in "" }),
    "NeedsMacro": Macro(
      kind: .freestanding, name: "#needs", expand: expandNeeds, usage: "a service, as in '#needs(CartService.self)'",
      atRunTime: "call 'modules.require(…)'"),
  ]

  mutating func answer(_ message: [UInt8]) -> [UInt8] { Array(response(to: message).utf8) }

  /// Returns the response to a message. Each message is an object whose only key is its name.
  private mutating func response(to message: [UInt8]) -> String {
    let members = JSONValue(message)?.members ?? [:]
    let name = members.count == 1 ? members.first!.key : ""
    switch name {
    case "getCapability":
      return #"{"getCapabilityResult":{"capability":{"protocolVersion":7,"features":[]}}}"#
    case "loadPluginLibrary":
      return #"{"loadPluginLibraryResult":{"loaded":false,"diagnostics":[]}}"#
    case "expandAttachedMacro", "expandFreestandingMacro":
      if let request = MacroRequest(members[name]!) { return expand(request) }
    default: break
    }
    let problem = Problem.unreadableMessage("does not support the compiler's message '\(name)'")
    return expansionResult(nil, [diagnostic(problem, at: nil, whole: nil)])
  }

  mutating func expand(_ request: MacroRequest) -> String {
    let text = request.buildConfiguration
    if text != configuration.text {
      configuration = (text, BuildConfiguration(JSONValue(text.utf8) ?? .word("")))
    }
    let known = macros[request.typeName]
    let macro = known ?? Macro(kind: .expression, name: request.macroName, expand: { _ in nil })
    let use = MacroUse(request, macro, configuration.value)
    if known == nil {
      use.report(
        .unknownMacro, "the compiler plugin has no macro '\(request.typeName)'; rebuild the package and the plugin")
    }
    // Don't check the arguments of an attribute for types if the declaration isn't a type.
    let expansion = macro.kind == .type && !use.declaration.isType ? nil : macro.expand(use)
    let hasErrors = use.problems.contains { $0.severity == .error }
    let whole = use.source.span(use.source.tokens.indices) ?? 0..<0
    let diagnostics = use.problems.map { problem in
      let syntax = problem.severity == .warning ? request.declaration : nil
      return diagnostic(problem, at: (syntax ?? request.syntax).location, whole: whole)
    }
    return expansionResult(hasErrors ? nil : expansion, diagnostics)
  }
}

private func expansionResult(_ source: String?, _ diagnostics: [String]) -> String {
  let source = source.map { "\"expandedSource\":\(JSONObject.quoted($0))," } ?? ""
  return "{\"expandMacroResult\":{\(source)\"diagnostics\":[\(diagnostics.joined(separator: ","))]}}"
}

/// - Parameter whole: The default range of a problem, or nil if there is no source.
private func diagnostic(_ problem: Problem, at location: MacroRequest.Location?, whole: Range<Int>?) -> String {
  let file = "\"fileName\":\(JSONObject.quoted(location?.fileName ?? ""))"
  let base = location?.offset ?? 0
  func text(_ range: Range<Int>) -> String {
    "{\(file),\"startOffset\":\(base &+ range.lowerBound),\"endOffset\":\(base &+ range.upperBound)}"
  }
  let range = problem.range ?? whole
  let fixIt = problem.fixIt.map { fixIt in
    #"{"message":\#(JSONObject.quoted(fixIt.message)),"changes":"#
      + #"[{"range":\#(text(fixIt.range)),"newText":\#(JSONObject.quoted(fixIt.text))}]}"#
  }
  return #"{"message":\#(JSONObject.quoted(problem.message)),"severity":"\#(problem.severity.rawValue)","#
    + #""position":{\#(file),"offset":\#(base &+ (range?.lowerBound ?? 0))},"#
    + #""highlights":[\#(range.map(text) ?? "")],"notes":[],"fixIts":[\#(fixIt ?? "")]}"#
}
