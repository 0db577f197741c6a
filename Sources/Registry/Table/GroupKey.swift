/// The identity of a group: the type of a service, or a contribution point.
@usableFromInline package struct GroupKey: Hashable, @unchecked Sendable {
  // Unchecked: `type` points to metadata, which is constant and never freed, and `Contributions`
  // has only constants.

  /// The type of the service or of the contributed values.
  let type: TypeKey
  private let contributions: Contributions?

  /// The properties of a contribution point, stored separately because most keys are for services.
  private final class Contributions {
    let point: String
    let isKeyed: Bool
    let cType: String?

    init(_ point: String, _ isKeyed: Bool, _ cType: String?) {
      (self.point, self.isKeyed, self.cType) = (point, isKeyed, cType)
    }
  }

  package var point: String? { contributions?.point }
  var isKeyed: Bool { contributions?.isKeyed == true }
  package var cType: String? { contributions?.cType }

  init(_ type: TypeKey) {
    self.type = type
    contributions = nil
  }

  init(_ type: Any.Type) { self.init(typeKey(type)) }

  init(_ type: Any.Type, point: String, isKeyed: Bool, cType: String?) {
    self.type = typeKey(type)
    contributions = Contributions(point, isKeyed, cType)
  }

  @usableFromInline package static func == (first: GroupKey, second: GroupKey) -> Bool {
    first.type == second.type && (first.contributions === second.contributions || first.isSamePoint(as: second))
  }

  @inline(never)
  private func isSamePoint(as other: GroupKey) -> Bool {
    point == other.point && isKeyed == other.isKeyed && cType == other.cType
  }

  @usableFromInline package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    if let contributions { hasher.combine(contributions.point) }
  }

  /// The hash for ``ServiceGroups``.
  var hash: UInt32 {
    // The hash of a string, because equal strings can have different bytes.
    let name = point.map { UInt32(truncatingIfNeeded: $0.hashValue) } ?? 0
    return name ^ UInt32(truncatingIfNeeded: (UInt64(UInt(bitPattern: type)) &* 0x9e37_79b9_7f4a_7c15) >> 32)
  }

  /// A Boolean value that indicates whether the values form an array, so that all entries are used.
  package var isList: Bool { point != nil && !isKeyed }

  package var typeName: String { recordName(of: serviceType(type)) }

  /// The service's name or the contribution point's expression, for messages.
  package var text: String {
    point.map { "ContributionPoint<[\(isKeyed ? "String: " : "")\(typeName)]>(\"\($0)\")" } ?? typeName
  }
}
