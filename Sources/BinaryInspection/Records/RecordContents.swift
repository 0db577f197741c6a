package import Lifecycle
package import Registry
import Routing

/// The contents of a record, which the readers of the runtime read.
///
/// A property is nil if the record's kind does not have it. The type has 16 stored properties because
/// the checks compare records of all kinds.
package struct RecordContents: Sendable, Equatable {
  /// The name of the module or the class, such as Cart.DefaultCart.
  package var type: String?
  /// The source location of a handler, such as Shop/Greeting.swift:12:1.
  package var handler: String?

  /// The protocol of a service, as written in the source.
  package var service: String?
  package var name: String?
  /// The options of a service.
  package var options: ServiceOptions?

  /// The event of a handler, as written in the source.
  package var event: String?
  package var once: Bool?

  /// The route of a handler, as written in the source.
  package var route: String?
  /// The target of an action.
  package var target: String?
  /// The name of an action.
  package var action: String?

  /// A contribution.
  package var contribution: Contribution?

  /// The service, the route, the module, or the contribution point that code needs.
  package var need: NeedAttributes?

  /// The level of a module.
  package var level: ModuleLevel?
  package var after = Predecessors()
  package var activation: ModuleActivation?

  /// The priority of a module, a service, or a handler.
  package var priority: Int?

  /// The options of a service.
  package struct ServiceOptions: Sendable, Equatable {
    /// The lifetime of the service's instances.
    package var scope: ServiceScope
    /// A Boolean value that indicates whether no other service has the same instance.
    package var hasSeparateInstance: Bool
    /// The implementation that the service replaces, by its name or as written in the source.
    package var replaces: String?
    /// The condition without which the service does not exist.
    package var condition: ServiceCondition?
  }

  package struct Contribution: Sendable, Equatable {
    /// The contribution point, as written in the source.
    package var point: String
    package var key: String?
  }

  package var scope: ServiceScope? { options?.scope }

  /// The modules that must precede a module.
  package struct Predecessors: Sendable, Equatable {
    package var names: [String] = []
    /// The types, as written in the source.
    package var types: [String] = []
    /// A Boolean value that indicates whether the providers of what the feature needs are included.
    package var includesNeeds = false
  }

  init() {}

  /// Reads the JSON of a record.
  ///
  /// The JSON of an unknown kind must be an object.
  init(_ json: UnsafeRawBufferPointer, _ kind: RecordKind) throws(JSONError) {
    self.init()
    switch kind {
    case .module: take(try ModuleAttributes(json))
    case .service:
      let attributes = try ServiceAttributes(json)
      type = attributes.implementation.string
      service = attributes.service.string
      name = attributes.name
      options = ServiceOptions(
        scope: attributes.scope, hasSeparateInstance: attributes.separateInstance,
        replaces: attributes.replaces ?? attributes.replacesType, condition: attributes.condition)
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
    case .contribution:
      let attributes = try ContributionAttributes(json)
      contribution = Contribution(point: attributes.point, key: attributes.key)
      (handler, priority) = (attributes.location, attributes.priority)
    case .need: need = try NeedAttributes(json)
    default:
      var reader = JSONReader(json)
      var keys = try reader.object()
      while try reader.key(&keys) != nil { try reader.skip() }
      try reader.end()
    }
  }

  private mutating func take(_ attributes: ModuleAttributes) {
    type = attributes.module
    level = attributes.level
    priority = attributes.priority
    after = Predecessors(
      names: attributes.after, types: attributes.afterTypes, includesNeeds: attributes.afterNeeds)
    activation = attributes.activation
  }

  /// The module or the class, or the source location of a handler; for a need, the type or the
  /// source location of the code.
  var subject: String? { type ?? handler ?? need?.dependent ?? need?.location }
}
