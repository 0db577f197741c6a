/// The contents of the JSON in the record of a need.
package struct NeedAttributes: Sendable, Equatable {
  /// The kind of thing that the code needs.
  package enum Subject: String, Sendable {
    case service = "protocol"
    case route
    case module
    /// A contribution point that the code reads, to which nothing has to contribute.
    case point
  }

  package let subject: Subject
  /// The name of the service's protocol, of the module, of the route, or of the contribution point,
  /// as the source spells it.
  package let target: String
  /// A Boolean value that indicates whether the name of a module is that of a type in the source,
  /// which can be an alias.
  package let isType: Bool
  /// The name of the service's implementation.
  package let name: String?
  /// A Boolean value that indicates whether the code also works without it.
  package let isOptional: Bool
  /// A Boolean value that indicates whether a property with `@Service` states the need.
  ///
  /// Such a property is always read from the shared manager.
  package let isProperty: Bool
  /// The type whose code states the need; nil at the top level of a file and in C code.
  package let dependent: String?
  /// The source location; nil in C code.
  package let location: String?

  /// Reads the JSON of a record.
  ///
  /// The members are `protocol`, `route`, `module`, or `point`, and `type`, `name`, `optional`,
  /// `property`, `dependent`, and `at`. Others are ignored.
  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    var subjects: [(Subject, String)] = []
    var (name, dependent, location): (String?, String?, String?)
    var (isType, isOptional, isProperty) = (false, false, false)
    var reader = JSONReader(json)
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "protocol": subjects.append((.service, try reader.string()))
      case "route": subjects.append((.route, try reader.string()))
      case "point": subjects.append((.point, try reader.string()))
      case "module": subjects.append((.module, try reader.string().recordForm))
      case "type": isType = try reader.boolean()
      case "name": name = try reader.string()
      case "optional": isOptional = try reader.boolean()
      case "property": isProperty = try reader.boolean()
      case "dependent": dependent = try reader.string()
      case "at": location = try reader.string()
      default: try reader.skip()
      }
    }
    try reader.end()
    guard subjects.count == 1, !subjects[0].1.isEmpty else {
      throw reader.error("expected one of the members 'protocol', 'route', 'module', and 'point'")
    }
    (subject, target) = subjects[0]
    (self.isType, self.name, self.isOptional, self.isProperty) = (isType, name, isOptional, isProperty)
    (self.dependent, self.location) = (dependent, location)
  }
}
