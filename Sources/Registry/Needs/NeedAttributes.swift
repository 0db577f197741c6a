package class NeedAttributes: JSONMembers, @unchecked Sendable {
  // Unchecked: only the initializer changes the properties.

  package enum Subject: String, Sendable {
    case service = "protocol"
    case route
    case module
    /// A contribution point that the code reads, which may have no contributions.
    case point
  }

  package private(set) var subject: Subject
  /// The name of the subject, as the source spells it; a module's name has no backticks.
  package private(set) var target: String
  /// A Boolean value that indicates whether the source names the module by type, not as a string.
  package private(set) var isType: Bool
  package private(set) var name: String?
  /// A Boolean value that indicates whether the code uses all implementations, named or not.
  package private(set) var isAll: Bool
  /// A Boolean value that indicates whether the code works without the subject.
  package private(set) var isOptional: Bool
  /// A Boolean value that indicates whether a property without `in:` states the need.
  package private(set) var isProperty: Bool
  /// A Boolean value that indicates whether a property with `in:` states the need. The property
  /// uses its instance's manager.
  package private(set) var isOwn: Bool
  /// The type whose code states the need; nil at the top level of a file and in C code.
  package private(set) var dependent: String?
  /// The source location; nil in C code.
  package private(set) var location: String?

  private var subjects: Int

  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    (subject, target, subjects) = (.service, "", 0)
    (isType, isAll, isOptional, isProperty, isOwn) = (false, false, false, false, false)
    // Use a variable, because `read` is mutating: other conforming types are structures.
    var members = self
    try members.read(json)
  }

  package var problem: String? {
    subjects == 1 && !target.isEmpty ? nil : "expected one of the members 'protocol', 'route', 'module', and 'point'"
  }

  package func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "type": isType = try reader.boolean()
    case "name": name = try reader.string()
    case "all": isAll = try reader.boolean()
    case "optional": isOptional = try reader.boolean()
    case "property": isProperty = try reader.boolean()
    case "own": isOwn = try reader.boolean()
    case "dependent": dependent = try reader.string()
    case "at": location = try reader.string()
    default:
      guard let subject = Subject(rawValue: key.string) else { return try reader.skip() }
      self.subject = subject
      target = try reader.string()
      if subject == .module { target = target.recordForm }
      subjects += 1
    }
  }
}
