// The part of the Swift module os that the package uses. Bodies are not compiled.
@_exported import ObjectiveC

// SOURCE: https://developer.apple.com/documentation/os/oslog
// and the interface of os in iOS 27.0
public class OSLog: NSObject, @unchecked Sendable {
  public static let `default`: OSLog = { fatalError() }()
  public static let disabled: OSLog = { fatalError() }()
  public convenience init(subsystem: String, category: String) { fatalError() }
  public convenience init(subsystem: String, category: OSLog.Category) { fatalError() }

  public struct Category: Sendable {
    public let rawValue: String
    public static let pointsOfInterest: OSLog.Category = { fatalError() }()
    public static let dynamicTracing: OSLog.Category = { fatalError() }()
  }
}

// SOURCE: https://developer.apple.com/documentation/os/ossignpostid
// and the interface of os in iOS 27.0
public struct OSSignpostID: Sendable, Comparable {
  public let rawValue: UInt64
  public static let exclusive: OSSignpostID = { fatalError() }()
  public static let invalid: OSSignpostID = { fatalError() }()
  public init(_ value: UInt64) { fatalError() }
  public static func < (a: OSSignpostID, b: OSSignpostID) -> Bool { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/os/ossignpostintervalstate
// and the interface of os in iOS 27.0
/// The state of an interval, which is Sendable in the SDK of iOS 27.0, but not in an older one.
public class OSSignpostIntervalState: Codable {
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { fatalError() }
  public required init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws {}
}

// SOURCE: https://developer.apple.com/documentation/os/ossignposter
// and the interface of os in iOS 27.0
public struct OSSignposter: @unchecked Sendable {
  public static let disabled: OSSignposter = { fatalError() }()
  public init() { fatalError() }
  public init(subsystem: String, category: String) { fatalError() }
  public init(subsystem: String, category: OSLog.Category) { fatalError() }
  public init(logHandle: OSLog) { fatalError() }
  public var isEnabled: Bool { fatalError() }
  public func makeSignpostID() -> OSSignpostID { fatalError() }
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID { fatalError() }
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    fatalError()
  }
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState { fatalError() }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {}
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {}
}

// SOURCE: https://developer.apple.com/documentation/os/logger
// and the interface of os in iOS 27.0
public struct Logger: @unchecked Sendable {
  public init() { fatalError() }
  public init(subsystem: String, category: String) { fatalError() }
  public init(_ logObj: OSLog) { fatalError() }
  public func log(_ message: OSLogMessage) {}
  public func debug(_ message: OSLogMessage) {}
  public func info(_ message: OSLogMessage) {}
  public func notice(_ message: OSLogMessage) {}
  public func warning(_ message: OSLogMessage) {}
  public func error(_ message: OSLogMessage) {}
  public func fault(_ message: OSLogMessage) {}
}

// SOURCE: https://developer.apple.com/documentation/os/signpostmetadata
// and the interface of os in iOS 27.0
public typealias SignpostMetadata = OSLogMessage

// SOURCE: https://developer.apple.com/documentation/os/oslogmessage
// and the interface of os in iOS 18.2.1
/// A message that only a string literal or an interpolation can create, and not an existing string.
@frozen public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  public let interpolation: OSLogInterpolation
  public init(stringInterpolation: OSLogInterpolation) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/os/osloginterpolation
// and the interface of os in iOS 18.2.1
@frozen public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {}
  public mutating func appendInterpolation(
    _ value: @autoclosure @escaping () -> some CustomStringConvertible, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {}
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {}
  public mutating func appendInterpolation(
    _ boolean: @autoclosure @escaping () -> Bool, privacy: OSLogPrivacy = .auto
  ) {}
}

// SOURCE: https://developer.apple.com/documentation/os/oslogprivacy
// and the interface of os in iOS 27.0
@frozen public struct OSLogPrivacy {
  public static var `public`: OSLogPrivacy { fatalError() }
  public static var `private`: OSLogPrivacy { fatalError() }
  public static var sensitive: OSLogPrivacy { fatalError() }
  public static var auto: OSLogPrivacy { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/os/oslogstringalignment
// and the interface of os in iOS 27.0
@frozen public struct OSLogStringAlignment {
  public static var none: OSLogStringAlignment { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/os/oslogintegerformatting
// and the interface of os in iOS 18.2.1
@frozen public struct OSLogIntegerFormatting {
  public static var decimal: OSLogIntegerFormatting { fatalError() }
}
