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

/// A handler or a phase of a module.
///
/// The entries of a timeline describe other intervals with this type as well. Their `event` and
/// `phase` are nil.
public struct LifecycleActivity: Sendable, CustomStringConvertible {
  /// The name in the module's record, or the name of another interval's subject.
  public let module: String
  /// The image that exports the module, or nil if the module was registered at run time.
  public let image: LoadedImage?
  private let work: Work

  /// The work of the module, or of another interval's subject.
  // A timeline keeps an activity for each handler, so the alternatives share their memory.
  enum Work: Sendable {
    case handler(of: StaticString)
    case phase(ModulePhase)
    case other(kind: String)
  }

  init(module: String, image: LoadedImage?, work: Work) {
    self.module = module
    self.image = image
    self.work = work
  }

  /// Creates the description of an interval that is neither a handler nor a phase.
  package init(_ interval: ObservedInterval) {
    self.init(module: interval.name, image: interval.image, work: .other(kind: interval.kind))
  }

  /// The identifier of the handler's event, or nil.
  public var event: String? { if case .handler(let event) = work { "\(event)" } else { nil } }

  /// The phase, or nil for a handler.
  public var phase: ModulePhase? { if case .phase(let phase) = work { phase } else { nil } }

  /// The identifier of the event, the name of the phase, or the kind of another interval.
  public var name: String {
    switch work {
    case .handler(let event): "\(event)"
    case .phase(let phase): phase.rawValue
    case .other(let kind): kind
    }
  }

  public var description: String { "\(module): \(name)" }

  /// The words for the activity in a sentence about its module.
  package var words: String { event.map { "handler of '\($0)'" } ?? "'\(name)'" }

  /// The words for the activity and its module in a sentence.
  package var phrase: String { "\(event == nil ? "" : "the ")\(words) in '\(module.escapedForDisplay())'" }
}
