// The conversions between Swift values and Foundation objects, as on macOS. Bodies are not
// compiled.
@_exported import Foundation

/// Declares the requirements of the compiler's protocol, so that a type only names its class.
public protocol _Bridged: _ObjectiveCBridgeable {}

extension _Bridged {
  public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool {
    true
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}

extension String: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSString }
extension URL: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSURL }
extension Data: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSData }
extension Date: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSDate }
extension Dictionary: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSDictionary }
extension Array: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSArray }
extension Set: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSSet }
extension Notification: _Bridged, @retroactive _ObjectiveCBridgeable {
  public typealias _ObjectiveCType = NSNotification
}
extension AnyHashable: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSObject }
extension Int: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Bool: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Double: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
