import Lifecycle
import Registry

/// A system event, with its name, its types, and the Objective-C methods that correspond to it.
package struct SystemEvent: Sendable {
  /// The topic of an event.
  package enum Family: String, Sendable, CaseIterable {
    /// The phases of the modules, which the manager announces itself.
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
    /// An outcome that is complete when the handlers return.
    case synchronous
    /// An outcome that is complete when the tasks of the handlers end.
    ///
    /// See ``AsyncEvent``.
    case asynchronous
  }

  package let id: String
  /// The name of the event's static property.
  package let name: String
  package let family: Family
  package let answerMode: AnswerMode
  /// The type of the payload, as code spells it.
  package let payload: String
  /// The type of the outcome, as code spells it.
  package let outcome: String
  /// The methods through which delegates receive the event.
  package let methods: [DelegateMethod]
  /// The selectors of the methods with which Objective-C modules handle the event.
  ///
  /// The first one is the package's own spelling. If BeeHive has another one, it is the second.
  /// Only the first selector that a module has is called.
  package let moduleSelectors: [String]
  private let accept: @MainActor @Sendable (any SystemEventSubscriber) -> Void

  /// Creates the entry of an event that ends when its handlers return.
  ///
  /// - Parameters:
  ///   - methods: The methods through which delegates receive the event.
  ///   - beeHive: The selector in BeeHive's modules, or nil if it is the same.
  ///   - describe: A closure that copies the payload into contents. It is required for payloads
  ///     whose type does not determine their meaning.
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

  /// Creates the entry of an event that waits for answers.
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
    // For example, the selector for `didBecomeActive` is `modDidBecomeActive:`.
    moduleSelectors = ["mod\(name.prefix(1).uppercased())\(name.dropFirst()):"] + (beeHive.map { [$0] } ?? [])
    self.accept = accept
  }

  /// Passes the event with its types to a subscriber.
  @MainActor func visit(_ subscriber: any SystemEventSubscriber) { accept(subscriber) }

  /// Returns the spelling of a type in code, which can differ from its description.
  private static func spelling(of type: Any.Type) -> String {
    if type == Void.self { return "Void" }
    if type == (any Error).self { return "any Error" }
    if type == [String: PropertyValue]?.self { return "[String: PropertyValue]?" }
    if type == UserActivity?.self { return "UserActivity?" }
    return "\(type)"
  }
}

/// A receiver of system events with their types, which the entries of the catalog hide.
@MainActor protocol SystemEventSubscriber {
  func subscribe<Payload, Outcome: Sendable>(
    to event: Event<Payload, Outcome>, _ describe: @escaping @Sendable (inout SystemEventContents, Payload) -> Void)
  func subscribe<Payload, Outcome: Sendable>(
    to event: AsyncEvent<Payload, Outcome>,
    _ describe: @escaping @Sendable (inout SystemEventContents, Payload) -> Void)
}
