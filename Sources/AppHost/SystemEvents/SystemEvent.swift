import Lifecycle
import Registry

/// A system event: its name, its types, and the methods of Objective-C that stand for it.
package struct SystemEvent: Sendable {
  /// The topic of an event.
  package enum Family: String, Sendable, CaseIterable {
    /// The phases of the modules, which ``ModuleManager`` triggers itself.
    case modules
    case application
    case notifications
    case userActivity
    case background
    case scenes
  }

  /// The way in which modules answer an event.
  package enum AnswerMode: String, Sendable {
    case none
    /// The outcome is there when the handlers return.
    case synchronous
    /// The outcome is there when the handlers' tasks end: an ``AsyncEvent``.
    case asynchronous
  }

  package let id: String
  /// The name of the event's static property, such as `didBecomeActive`.
  package let name: String
  package let family: Family
  package let answerMode: AnswerMode
  /// The type of the payload, as code spells it.
  package let payload: String
  /// The type of the outcome, as code spells it.
  package let outcome: String
  /// The methods by which delegates learn of the event.
  package let methods: [DelegateMethod]
  /// The methods of Objective-C modules for the event: the package's own, then BeeHive's where it
  /// has another name. A module's first one is called, and no other.
  package let moduleSelectors: [String]
  private let accept: @MainActor @Sendable (any SystemEventSubscriber) -> Void

  /// Creates the entry of an event that is over when its handlers return.
  ///
  /// - Parameters:
  ///   - methods: The methods by which delegates learn of the event.
  ///   - beeHive: The selector that BeeHive's modules have for it, if that is another one.
  ///   - describe: Copies the payload into contents. Required for payloads whose type does not
  ///     tell their meaning.
  init<Payload, Outcome: Sendable>(
    _ name: String, _ family: Family, _ event: Event<Payload, Outcome>, methods: [DelegateMethod] = [],
    beeHive: String? = nil,
    describe: @escaping @Sendable (inout SystemEventContents, Payload) -> Void = { $0.add($1) }
  ) {
    self.init(
      "\(event.id)", name, family, Outcome.self == Void.self ? .none : .synchronous, Payload.self, Outcome.self,
      methods, beeHive
    ) { $0.subscribe(to: event, describe) }
  }

  /// Creates the entry of an event that waits for the answers.
  init<Payload, Outcome: Sendable>(
    _ name: String, _ family: Family, _ event: AsyncEvent<Payload, Outcome>, methods: [DelegateMethod] = [],
    beeHive: String? = nil,
    describe: @escaping @Sendable (inout SystemEventContents, Payload) -> Void = { $0.add($1) }
  ) {
    self.init("\(event.id)", name, family, .asynchronous, Payload.self, Outcome.self, methods, beeHive) {
      $0.subscribe(to: event, describe)
    }
  }

  private init(
    _ id: String, _ name: String, _ family: Family, _ answerMode: AnswerMode, _ payload: Any.Type,
    _ outcome: Any.Type, _ methods: [DelegateMethod], _ beeHive: String?,
    _ accept: @escaping @MainActor @Sendable (any SystemEventSubscriber) -> Void
  ) {
    self.id = id
    self.name = name
    self.family = family
    self.answerMode = answerMode
    self.payload = Self.spelling(of: payload)
    self.outcome = Self.spelling(of: outcome)
    self.methods = methods.map { $0.standing(for: id) }
    // `modDidBecomeActive:` for `didBecomeActive`.
    moduleSelectors = ["mod\(name.prefix(1).uppercased())\(name.dropFirst()):"] + (beeHive.map { [$0] } ?? [])
    self.accept = accept
  }

  /// Passes the event with its types to a subscriber.
  @MainActor func visit(_ subscriber: any SystemEventSubscriber) { accept(subscriber) }

  /// Returns the spelling of a type in code, which is not always its description.
  private static func spelling(of type: Any.Type) -> String {
    if type == Void.self { return "Void" }
    if type == (any Error).self { return "any Error" }
    if type == [String: PropertyValue]?.self { return "[String: PropertyValue]?" }
    return "\(type)"
  }
}

/// A receiver of system events with their types, which an entry of the catalog does not show.
@MainActor protocol SystemEventSubscriber {
  func subscribe<Payload, Outcome: Sendable>(
    to event: Event<Payload, Outcome>, _ describe: @escaping @Sendable (inout SystemEventContents, Payload) -> Void)
  func subscribe<Payload, Outcome: Sendable>(
    to event: AsyncEvent<Payload, Outcome>,
    _ describe: @escaping @Sendable (inout SystemEventContents, Payload) -> Void)
}
