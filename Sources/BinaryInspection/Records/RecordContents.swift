package import Lifecycle
package import Registry
import Routing

/// What a record says, read from its JSON as at run time; what it leaves out has its default, and what its kind lacks is nil.
package struct RecordContents: Sendable, Equatable {
  /// The module's or class's name, `"Cart.DefaultCart"`.
  package var type: String?
  /// Where the handler stands, `"Shop/Greeting.swift:12:1"`.
  package var handler: String?

  /// Of a service: its protocol as it was written.
  package var service: String?
  package var name: String?
  package var scope: ServiceScope?

  /// Of a handler: its event as it was written.
  package var event: String?
  package var once: Bool?

  /// Of what opens a route: the route as it was written.
  package var route: String?
  /// Of an action: its target's name, and its own.
  package var target: String?
  package var action: String?

  /// Of a module.
  package var level: ModuleLevel?
  package var after: [String] = []
  package var activation: ModuleActivation?
  package var initialization: ModuleInitialization?
  package var replaysMissedPhases: Bool?

  /// Of modules, services and handlers.
  package var priority: Int?

  init() {}

  /// Reads a record's JSON; that of a kind nobody knows must be an object.
  init(_ json: UnsafeRawBufferPointer, _ kind: RecordKind) throws(JSONError) {
    self.init()
    switch kind {
    case .module: take(try ModuleAttributes(json))
    case .service:
      let attributes = try ServiceAttributes(json)
      type = attributes.implementation.string
      service = attributes.service.string
      name = attributes.name
      scope = attributes.scope
      priority = attributes.priority
    case .handler:
      let attributes = try HandlerAttributes(json)
      handler = attributes.handler
      event = attributes.event
      once = attributes.once
      priority = attributes.priority
    case .route, .action:
      let attributes = try RouteAttributes(json, kind)
      (route, target, action) = (attributes.route, attributes.target, attributes.action)
      // A source location has a slash, which the name of a type cannot have.
      if attributes.location.utf8.contains(UInt8(ascii: "/")) {
        handler = attributes.location
      } else {
        type = attributes.location
      }
    default:
      var reader = JSONReader(json)
      try reader.object { reader, _ throws(JSONError) in try reader.skip() }
      try reader.end()
    }
  }

  private mutating func take(_ attributes: ModuleAttributes) {
    type = attributes.module
    level = attributes.level
    priority = attributes.priority
    after = attributes.after
    activation = attributes.activation
    initialization = attributes.initialization
    replaysMissedPhases = attributes.replaysMissedPhases
  }

  /// What it is about in one word: the module or class, or else where the handler stands.
  var subject: String? { type ?? handler }
}
