public import Registry

/// A phase of a module.
public enum ModulePhase: String, Sendable, Hashable {
  case initializer = "init"
  case setUp
  case initialize
  case didFinishStarting
  case tearDown
  case becomeReady
  case run
  case shutDown
}

/// A handler or a phase of a module that runs on the main actor.
public struct LifecycleActivity: Sendable, CustomStringConvertible {
  /// The name in the module's record.
  public let module: String
  /// The image that exports the module, or nil if the module was registered at run time.
  public let image: LoadedImage?
  let eventID: StaticString?
  /// The phase, or nil for a handler.
  public let phase: ModulePhase?

  /// The identifier of the handler's event, or nil for a phase.
  public var event: String? { eventID.map { "\($0)" } }

  /// The identifier of the event, or the name of the phase.
  public var name: String { event ?? phase?.rawValue ?? "" }

  public var description: String { "\(module): \(name)" }

  /// The words for the activity in a sentence about its module.
  package var words: String { event.map { "handler of '\($0)'" } ?? "'\(name)'" }

  /// The words for the activity and its module in a sentence.
  package var phrase: String { "\(event == nil ? "" : "the ")\(words) in '\(module.escapedForDisplay())'" }
}
