#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers the compiler that started this process until it closes the connection.
///
/// - Parameter check: The check of URL patterns, if the plugin has the macro for them.
package func answerCompiler(checkingPatterns check: PatternCheck? = nil) {
  var session = Session(checkingPatterns: check)
  serve(FileDescriptorChannel.standard()) { session.answer($0) }
}

/// The exchange of messages with one compiler.
struct Session {
  /// The last build configuration and its text, because every message repeats it.
  private var configuration: (text: String, value: BuildConfiguration)?
  private let patternCheck: PatternCheck?

  init(checkingPatterns check: PatternCheck? = nil) {
    patternCheck = check
  }

  /// Returns the answer to a message, which can be invalid.
  mutating func answer(_ message: [UInt8]) -> [UInt8] {
    let answer: PluginMessage
    do {
      answer = respond(to: try JSONDecoder().decode(HostMessage.self, from: Data(message)))
    } catch {
      answer = .failure(Problem.unreadableMessage(error).message)
    }
    // The answer has only strings and integers, so encoding it cannot fail. An empty frame would
    // end the connection.
    return (try? JSONEncoder().encode(answer)).map { [UInt8]($0) } ?? []
  }

  private mutating func respond(to message: HostMessage) -> PluginMessage {
    switch message {
    case .getCapability:
      return .getCapabilityResult(capability: .init())
    case .expandAttachedMacro(let request):
      return expand(request, configuration(request.staticBuildConfiguration))
    case .expandFreestandingMacro(let request):
      return expand(request, configuration(request.staticBuildConfiguration), checkingPatterns: patternCheck)
    case .loadPluginLibrary:
      return .loadPluginLibraryResult(loaded: false, diagnostics: [])
    case .unknown(let name):
      return .failure(Problem.unknownMessage(name).message)
    }
  }

  private mutating func configuration(_ text: String?) -> BuildConfiguration {
    guard let text else { return BuildConfiguration() }
    if let configuration, configuration.text == text { return configuration.value }
    let value = (try? JSONDecoder().decode(BuildConfiguration.self, from: Data(text.utf8))) ?? .init()
    configuration = (text, value)
    return value
  }
}

/// Expands an attribute, or returns its problems.
func expand(_ request: HostMessage.AttachedMacro, _ configuration: BuildConfiguration) -> PluginMessage {
  let attribute = Source(request.attributeSyntax.source)
  var problems: [Problem] = []
  let expansion: String?
  switch request.macro.typeName {
  case "ExportServiceMacro":
    expansion = expandService(request, attribute, configuration, &problems)
  case "ExportModuleMacro":
    expansion = expandModule(request, attribute, configuration, &problems)
  case "ExportRouteTypeMacro":
    expansion = expandRouteType(request, attribute, configuration, &problems)
  case "ServiceMacro":
    expansion = expandNeededProperty(request, attribute, configuration, &problems)
  case "ContributionsMacro":
    expansion = expandContributionsProperty(request, attribute, configuration, &problems)
  default: return attribute.unknownMacro(request.macro, in: request.attributeSyntax)
  }
  return attribute.result(expansion, problems, in: request.attributeSyntax, declaration: request.declSyntax)
}

/// Expands a freestanding macro, or returns its problems.
func expand(
  _ request: HostMessage.FreestandingMacro, _ configuration: BuildConfiguration, checkingPatterns check: PatternCheck?
) -> PluginMessage {
  let source = Source(request.syntax.source, regex: configuration.hasBareSlashRegex)
  var problems: [Problem] = []
  let expansion: String?
  switch request.macro.typeName {
  case "OnEventMacro":
    expansion = expandOnEvent(request, source, configuration, &problems)
  case "ExportRouteMacro":
    expansion = expandRoute(request, source, configuration, &problems)
  case "ExportActionMacro":
    expansion = expandAction(request, source, configuration, &problems)
  case "ContributeMacro":
    expansion = expandContribution(request, source, configuration, &problems)
  case "NeedsMacro":
    expansion = expandNeeds(request, source, configuration, &problems)
  case "PatternMacro" where check != nil:
    expansion = check.flatMap { expandPattern(source, $0, &problems) }
  default: return source.unknownMacro(request.macro, in: request.syntax)
  }
  return source.result(expansion, problems, in: request.syntax)
}

extension Source {
  /// Returns the response to a request: the problems, and the expansion unless one is an error.
  ///
  /// - Parameter declaration: The declaration of an attribute, in which the ranges of warnings are.
  func result(
    _ expansion: String?, _ problems: [Problem], in syntax: HostMessage.Syntax, declaration: HostMessage.Syntax? = nil
  ) -> PluginMessage {
    .expandMacroResult(
      expandedSource: problems.contains { $0.severity == .error } ? nil : expansion,
      diagnostics: problems.map { diagnostic($0, in: $0.severity == .warning ? declaration ?? syntax : syntax) })
  }

  /// Returns the response to a request for a macro that this version does not have.
  func unknownMacro(_ macro: HostMessage.MacroReference, in syntax: HostMessage.Syntax) -> PluginMessage {
    result(nil, [.unknownMacro(macro.typeName)], in: syntax)
  }

  /// Returns the diagnostic for a problem.
  ///
  /// Its position is the range of the problem, or that of the whole attribute.
  func diagnostic(_ problem: Problem, in syntax: HostMessage.Syntax) -> PluginMessage.Diagnostic {
    let whole = (tokens.first?.range.lowerBound ?? 0)..<(tokens.last?.range.upperBound ?? 0)
    let range = problem.range ?? whole
    let file = syntax.location?.fileName ?? ""
    let base = syntax.location?.offset ?? 0
    let fixIt = problem.fixIt.map { fixIt in
      PluginMessage.FixIt(
        message: fixIt.message,
        changes: [
          .init(
            range: .init(
              fileName: file, startOffset: base &+ fixIt.range.lowerBound, endOffset: base &+ fixIt.range.upperBound),
            newText: fixIt.text)
        ])
    }
    return PluginMessage.Diagnostic(
      message: problem.message,
      severity: problem.severity.rawValue,
      position: .init(fileName: file, offset: base &+ range.lowerBound),
      highlights: [
        .init(
          fileName: file, startOffset: base &+ range.lowerBound, endOffset: base &+ range.upperBound)
      ],
      fixIts: fixIt.map { [$0] } ?? [])
  }
}
