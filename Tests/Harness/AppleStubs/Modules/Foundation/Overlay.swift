// The declarations of the Swift module Foundation beyond its headers, as far as they are used.
// Bodies are not compiled.
//
// URL, Data, Date, JSONEncoder, and similar types come from this system, because their source is
// the same on every platform.
@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationEssentials
@_exported import Glibc
@_exported import ObjectiveC

// SOURCE: https://developer.apple.com/documentation/foundation/notification
/// The Swift structure that bridges to Foundation's notification class.
public struct Notification: Equatable, Hashable {
  public typealias Name = NSNotification.Name
  public var name: Name
  public var object: Any?
  public var userInfo: [AnyHashable: Any]?
  public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) { fatalError() }
  public static func == (lhs: Notification, rhs: Notification) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) {}
}

// SOURCE: https://developer.apple.com/documentation/foundation/nserror
extension NSError: Error {}

// SOURCE: https://developer.apple.com/documentation/foundation/filehandle
/// A stand-in for the class that writes to standard error.
public class FileHandle: NSObject, @unchecked Sendable {
  open class var standardError: FileHandle { fatalError() }
  open func write(_ data: Data) {}
}

// SOURCE: https://developer.apple.com/documentation/foundation/thread
// and the bindings of objc2 for iOS 26.5, where it is not Sendable
/// A stand-in for a thread that runs a closure.
public class Thread: NSObject {
  public init(block: @escaping @Sendable () -> Void) {}
  open func start() {}
  open var name: String?
  open class var isMainThread: Bool { fatalError() }
}

#if !os(macOS)
// SOURCE: https://developer.apple.com/documentation/foundation/processinfo and its method
// `performExpiringActivity(withReason:using:)`, and NSProcessInfo.h of iOS 27.0
extension ProcessInfo {
  public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}
#endif

// SOURCE: NSObject.h of objc4-951.1, github:apple-oss-distributions/objc4
extension NSObject {
  public class func perform(_ selector: Selector!) -> Unmanaged<AnyObject>! { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/foundation/nsnumber
extension Int {
  public init?(exactly number: NSNumber) { fatalError() }
}
