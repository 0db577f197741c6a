package import Lifecycle
package import Registry
package import Routing

/// The contents of a record, read by the runtime's readers. Only the property for the record's kind
/// is set. No property is set if the record is malformed or its kind is unknown.
package struct RecordContents {
  package private(set) var module: ModuleAttributes?
  package private(set) var service: ServiceAttributes?
  package private(set) var handler: HandlerAttributes?
  package private(set) var route: RouteAttributes?
  package private(set) var contribution: ContributionAttributes?
  package private(set) var need: NeedAttributes?

  init() {}

  /// Reads the JSON of a record, or creates empty contents if the record is malformed.
  init(of json: String, _ kind: RecordKind) {
    var json = json
    self = json.withUTF8 { try? RecordContents(UnsafeRawBufferPointer($0), kind) } ?? RecordContents()
  }

  /// Reads the JSON of a record. For an unknown kind, the JSON must be an object.
  init(_ json: UnsafeRawBufferPointer, _ kind: RecordKind) throws(JSONError) {
    switch kind {
    case .module: module = try ModuleAttributes(json)
    case .service:
      let attributes = try ServiceAttributes(json)
      // Copy the texts, because they refer to the bytes of the JSON.
      attributes.service = JSONText(attributes.service.string)
      attributes.implementation = JSONText(attributes.implementation.string)
      service = attributes
    case .handler: handler = try HandlerAttributes(json)
    case .route, .action: route = try RouteAttributes(json, kind)
    case .contribution: contribution = try ContributionAttributes(json)
    case .need: need = try NeedAttributes(json)
    default:
      var reader = JSONReader(json)
      var keys = try reader.object()
      while try reader.key(&keys) != nil { try reader.skip() }
      try reader.end()
    }
  }

  /// The name of the exported type, such as `Cart.DefaultCart`.
  package var type: String? {
    // A source location contains a slash, which type names rarely contain.
    module?.module ?? service?.implementation.string
      ?? route.flatMap { $0.location.utf8.contains(UInt8(ascii: "/")) ? nil : $0.location }
  }

  /// The exported type, or the source location of a handler or contribution; for a need, the type
  /// or the source location of the code that states the need.
  package var subject: String? {
    type ?? handler?.handler ?? route?.location ?? contribution?.location ?? need?.dependent ?? need?.location
  }

  /// The protocol, event, route, action, or contribution point of the record, as spelled in the
  /// source.
  package var target: String? {
    service?.service.string ?? handler?.event ?? route?.route ?? contribution?.point
      ?? route.map { "\($0.target ?? "").\($0.action ?? "")" }
  }

  package var condition: ServiceCondition? { service?.condition ?? contribution?.condition }

  package var priority: Int? {
    module?.priority ?? service?.priority ?? handler?.priority ?? contribution?.priority
  }
}
