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

extension NSError: Error {}

/// A stand-in for the class that writes to standard error.
public class FileHandle: NSObject, @unchecked Sendable {
  open class var standardError: FileHandle { fatalError() }
  open func write(_ data: Data) {}
}

/// A stand-in for a thread that runs a closure.
public class Thread: NSObject {
  public init(block: @escaping @Sendable () -> Void) {}
  open func start() {}
  open var name: String?
  open class var isMainThread: Bool { fatalError() }
}

#if !os(macOS)
extension ProcessInfo {
  public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}
#endif

extension NSObject {
  public class func perform(_ selector: Selector!) -> Unmanaged<AnyObject>! { fatalError() }
}

extension Int {
  public init?(exactly number: NSNumber) { fatalError() }
}

extension Int64 {
  public init?(exactly number: NSNumber) { fatalError() }
}

public class JSONSerialization: NSObject {
  open class func jsonObject(with data: Data) throws -> Any { fatalError() }
}

extension String {
  public init(format: String, _ arguments: any CVarArg...) { fatalError() }
}

extension StringProtocol {
  public func range(of target: some StringProtocol, options: String.CompareOptions = []) -> Range<Index>? {
    fatalError()
  }
  public func replacingOccurrences(of target: some StringProtocol, with replacement: some StringProtocol) -> String {
    fatalError()
  }
}
