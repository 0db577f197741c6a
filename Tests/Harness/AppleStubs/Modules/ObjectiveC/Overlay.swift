// The declarations of the Swift module ObjectiveC beyond the runtime's headers. Bodies are not
// compiled.
@_exported import ObjectiveC

/// The Swift type of an Objective-C Boolean on systems where that is not a C bool.
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  var value: Int8
  public init(_ value: Bool) { self.value = value ? 1 : 0 }
  public init(booleanLiteral value: Bool) { self.init(value) }
  public var boolValue: Bool { value != 0 }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value) }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.boolValue }

/// The Swift type of an Objective-C selector.
@frozen public struct Selector: ExpressibleByStringLiteral, Hashable, CustomStringConvertible, @unchecked Sendable {
  var pointer: OpaquePointer
  public init(_ name: String) { fatalError() }
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { fatalError() }
}

extension NSObject: Equatable, Hashable {
  public static func == (lhs: NSObject, rhs: NSObject) -> Bool { fatalError() }
  @nonobjc public func hash(into hasher: inout Hasher) {}
}

extension NSObject: CVarArg {
  public var _cVarArgEncoding: [Int] { [] }
}
