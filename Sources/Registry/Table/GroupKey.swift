/// The identity of a group: the type of a service, or a contribution point.
package struct GroupKey: Hashable, @unchecked Sendable {
  // Unchecked: the type is the address of metadata, which is constant and never freed.

  /// The type of the service or of the contributed values.
  let type: TypeKey
  /// The identifier of the contribution point; nil for a service.
  package let point: String?
  /// A Boolean value that indicates whether the contributions to the point have keys.
  let isKeyed: Bool
  /// The name of the type with which C code contributes to the point.
  let cType: String?

  init(_ type: TypeKey, point: String? = nil, isKeyed: Bool = false, cType: String? = nil) {
    self.type = type
    self.point = point
    self.isKeyed = isKeyed
    self.cType = cType
  }

  init(_ type: Any.Type, point: String? = nil, isKeyed: Bool = false, cType: String? = nil) {
    self.init(typeKey(type), point: point, isKeyed: isKeyed, cType: cType)
  }

  /// A Boolean value that indicates whether all entries are used, and not only the first one of
  /// each name.
  var isList: Bool { point != nil && !isKeyed }

  /// The name of the type.
  package var typeName: String { recordName(of: serviceType(type)) }

  /// The name of the service, or the expression for the contribution point, for messages.
  package var text: String {
    point.map { "ContributionPoint<[\(isKeyed ? "String: " : "")\(typeName)]>(\"\($0)\")" } ?? typeName
  }
}
