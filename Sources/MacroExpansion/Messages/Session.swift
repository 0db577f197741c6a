#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers the compiler that started this process, until it closes the connection.
package func answerCompiler() {
  var session = Session()
  serve(FileDescriptorChannel.standard()) { session.answer($0) }
}

/// One compiler's questions, from the first to the last.
struct Session {
  /// The last build configuration and the text it was read from: every message carries the same.
  private var configuration: (text: String, value: BuildConfiguration)?

  /// Answers a message. Whatever it is, there is an answer.
  mutating func answer(_ message: [UInt8]) -> [UInt8] {
    let answer: PluginMessage
    do {
      answer = respond(to: try JSONDecoder().decode(HostMessage.self, from: Data(message)))
    } catch {
      answer = .failure("the compiler sent a message that the plugin RegistryMacros cannot read: \(error)")
    }
    // Strings and integers alone: encoding them cannot fail. An empty frame would say good-bye.
    return (try? JSONEncoder().encode(answer)).map { [UInt8]($0) } ?? []
  }

  private mutating func respond(to message: HostMessage) -> PluginMessage {
    switch message {
    case .getCapability:
      return .getCapabilityResult(capability: .init())
    case .expandAttachedMacro(let request):
      return expand(request, configuration(request.staticBuildConfiguration))
    case .expandFreestandingMacro(let request):
      return expand(request, configuration(request.staticBuildConfiguration))
    case .loadPluginLibrary:
      return .loadPluginLibraryResult(loaded: false, diagnostics: [])
    case .unknown(let name):
      return .failure("the compiler sent '\(name)', which the plugin RegistryMacros does not know")
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

/// What the macros want to know of the way the client is compiled.
struct BuildConfiguration: Decodable {
  /// Features that are on, upcoming ones included.
  var features: Set<String>?
  /// `ELF`, `MachO` and the like.
  var targetObjectFileFormats: Set<String>?

  /// The target's object file formats if records cannot be in any of them.
  var unknownObjectFormats: String? {
    guard let formats = targetObjectFileFormats, !formats.isEmpty, formats.isDisjoint(with: ["ELF", "MachO"]) else {
      return nil
    }
    return formats.sorted().joined(separator: ", ")
  }
}

/// Expands an attribute, or says what is wrong with it.
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
  default:
    problems.append(Problem("RegistryMacros has no macro '\(request.macro.typeName)'"))
    expansion = nil
  }
  return .expandMacroResult(
    expandedSource: problems.isEmpty ? expansion : nil,
    diagnostics: problems.map { attribute.diagnostic($0, in: request.attributeSyntax) })
}

/// Expands a macro of the form `#name(…)`, or says what is wrong with it.
func expand(_ request: HostMessage.FreestandingMacro, _ configuration: BuildConfiguration) -> PluginMessage {
  let regex = configuration.features?.contains("BareSlashRegexLiterals") ?? false
  let source = Source(request.syntax.source, regex: regex)
  var problems: [Problem] = []
  let expansion: String?
  switch request.macro.typeName {
  case "OnEventMacro":
    expansion = expandOnEvent(request, source, configuration, &problems)
  case "ExportRouteMacro":
    expansion = expandRoute(request, source, configuration, &problems)
  case "ExportActionMacro":
    expansion = expandAction(request, source, configuration, &problems)
  case "PatternMacro":
    expansion = expandPattern(source, &problems)
  default:
    problems.append(Problem("RegistryMacros has no macro '\(request.macro.typeName)'"))
    expansion = nil
  }
  return .expandMacroResult(
    expandedSource: problems.isEmpty ? expansion : nil,
    diagnostics: problems.map { source.diagnostic($0, in: request.syntax) })
}

extension Source {
  /// Places a problem: at its range, or else at the first token, which is where the attribute begins.
  func diagnostic(_ problem: Problem, in syntax: HostMessage.Syntax) -> PluginMessage.Diagnostic {
    let whole = (tokens.first?.range.lowerBound ?? 0)..<(tokens.last?.range.upperBound ?? 0)
    let range = problem.range ?? whole
    let file = syntax.location?.fileName ?? ""
    let base = syntax.location?.offset ?? 0
    return PluginMessage.Diagnostic(
      message: problem.message,
      position: .init(fileName: file, offset: base &+ range.lowerBound),
      highlights: [
        .init(
          fileName: file, startOffset: base &+ range.lowerBound, endOffset: base &+ range.upperBound)
      ])
  }
}
