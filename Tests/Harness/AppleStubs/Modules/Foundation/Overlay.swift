// What the system's Swift module Foundation adds to its headers, as far as it is used. Bodies are not compiled.
//
// URL, Data, Date, JSONEncoder and the like are those of this system: their source is the same on every platform.
@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationEssentials
@_exported import Glibc
@_exported import ObjectiveC

/// What `NSNotification` is in Swift.
public struct Notification: Equatable, Hashable {
  public typealias Name = NSNotification.Name
  public var name: Name
  public var object: Any?
  public var userInfo: [AnyHashable: Any]?
  public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) { fatalError() }
  public static func == (lhs: Notification, rhs: Notification) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) {}
}

extension NSError: Error {}

/// What writes to a file, for what is not Apple's alone.
public class FileHandle: NSObject, @unchecked Sendable {
  open class var standardError: FileHandle { fatalError() }
  open func write(_ data: Data) {}
}

/// A thread of one's own.
public class Thread: NSObject, @unchecked Sendable {
  public init(block: @escaping @Sendable () -> Void) {}
  open func start() {}
  open var name: String?
  open class var isMainThread: Bool { fatalError() }
}

extension NSObject {
  public class func perform(_ selector: Selector!) -> Unmanaged<AnyObject>! { fatalError() }
}

extension Int {
  public init?(exactly number: NSNumber) { fatalError() }
}
