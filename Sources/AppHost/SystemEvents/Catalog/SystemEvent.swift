import Lifecycle

/// A system event, with its name, its types, and the Objective-C methods that correspond to it.
package struct SystemEvent: Sendable {
  package let id: String
  /// The name of the event's static property.
  package let name: String
  /// The methods that notify delegates of the event.
  package private(set) var methods: [DelegateMethod] = []
  /// The selectors of the methods that handle the event in Objective-C modules.
  ///
  /// The package's own spelling is first, followed by BeeHive's spelling if it differs. The adapter
  /// calls only the first selector that a module implements.
  package let moduleSelectors: [String]
  let visit: @MainActor @Sendable (any SystemEventSubscriber) -> Void

  /// Creates an entry for an event that ends when its handlers return.
  ///
  /// - Parameters:
  ///   - name: The name in the selector, if it differs from the name of the event's property.
  ///   - beeHive: BeeHive's selector, if it differs from this package's selector.
  init<Payload, Outcome: Sendable>(
    _ event: Event<Payload, Outcome>, named name: String? = nil, beeHive: String? = nil
  ) {
    self.init("\(event.id)", name ?? "\(event.declaration)", beeHive) { $0.subscribe(to: event) }
  }

  /// Creates an entry for an event that waits for answers.
  init<Payload, Outcome: Sendable>(_ event: AsyncEvent<Payload, Outcome>, beeHive: String? = nil) {
    self.init("\(event.id)", "\(event.declaration)", beeHive) { $0.subscribe(to: event) }
  }

  private init(
    _ id: String, _ name: String, _ beeHive: String?,
    visit: @escaping @MainActor @Sendable (any SystemEventSubscriber) -> Void
  ) {
    self.id = id
    self.name = name
    // For example, `didBecomeActive` becomes `modDidBecomeActive:`.
    moduleSelectors = ["mod\(name.prefix(1).uppercased())\(name.dropFirst()):"] + (beeHive.map { [$0] } ?? [])
    self.visit = visit
  }

  /// Returns the event with the selectors of the delegate methods that report it.
  func from(
    apps: String? = nil, uiKit: String? = nil, appKit: String? = nil, watchKit: String? = nil, scene: String? = nil,
    center: String? = nil, isNotified: Bool = false, carriesLinks: Bool = false
  ) -> SystemEvent {
    let selectors: [(role: DelegateMethod.Role, selector: String?)] = [
      (.application, apps ?? uiKit), (.desktopApplication, apps ?? appKit), (.watchApplication, watchKit),
      (.scene, scene), (.notificationCenter, center),
    ]
    var event = self
    event.methods = selectors.compactMap { role, selector in
      selector.map {
        DelegateMethod(role: role, selector: $0, event: id, isNotified: isNotified, carriesLinks: carriesLinks)
      }
    }
    return event
  }
}

/// A receiver of system events with the concrete types that the catalog's entries erase.
@MainActor protocol SystemEventSubscriber {
  func subscribe<Payload, Outcome: Sendable>(to event: Event<Payload, Outcome>)
  func subscribe<Payload, Outcome: Sendable>(to event: AsyncEvent<Payload, Outcome>)
}
