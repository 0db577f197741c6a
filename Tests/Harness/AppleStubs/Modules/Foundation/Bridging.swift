// SOURCE of this file: stdlib/public/core/BridgeObjectiveC.swift, github:swiftlang/swift, which
// declares the protocol.
//
// The conversions between Swift values and Foundation objects, as on macOS. Bodies are not
// compiled.
@_exported import Foundation

extension String: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> Self { fatalError() }
}

extension URL: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSURL { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> Self { fatalError() }
}

extension Data: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSData { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Self { fatalError() }
}

extension Date: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDate { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDate, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDate, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Self { fatalError() }
}

extension Dictionary: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Self { fatalError() }
}

extension Array: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Self { fatalError() }
}

extension Set: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSSet { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSSet, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSSet, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSSet?) -> Self { fatalError() }
}

extension Notification: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNotification { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNotification, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNotification, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNotification?) -> Self { fatalError() }
}

extension AnyHashable: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSObject { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSObject, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSObject, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSObject?) -> Self { fatalError() }
}

extension Int: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension Bool: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension Double: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension Float: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension Int8: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension Int16: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension Int32: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension Int64: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension UInt: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension UInt8: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension UInt16: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension UInt32: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}

extension UInt64: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}
