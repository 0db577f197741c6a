// The part of the Swift module os that the package uses. Bodies are not compiled.
@_exported import ObjectiveC

public class OSLog: NSObject, @unchecked Sendable {
  public struct Category: Sendable {
    public let rawValue: String
    public static let pointsOfInterest: OSLog.Category = { fatalError() }()
  }
}

public struct OSSignpostID: Sendable, Comparable {
  public let rawValue: UInt64
  public static let exclusive: OSSignpostID = { fatalError() }()
  public init(_ value: UInt64) { fatalError() }
  public static func < (a: OSSignpostID, b: OSSignpostID) -> Bool { fatalError() }
}

/// The state of an interval, which is Sendable in the SDK of iOS 27.0, but not in an older one.
public class OSSignpostIntervalState: Codable {
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { fatalError() }
  public required init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws {}
}

public struct OSSignposter: @unchecked Sendable {
  public init(subsystem: String, category: String) { fatalError() }
  public init(subsystem: String, category: OSLog.Category) { fatalError() }
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    fatalError()
  }
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState { fatalError() }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {}
}

public struct Logger: @unchecked Sendable {
  public init(subsystem: String, category: String) { fatalError() }
  public func warning(_ message: OSLogMessage) {}
  public func error(_ message: OSLogMessage) {}
}

public typealias SignpostMetadata = OSLogMessage

/// A message that only a string literal or an interpolation can create, and not an existing string.
@frozen public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  public let interpolation: OSLogInterpolation
  public init(stringInterpolation: OSLogInterpolation) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}

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
}

@frozen public struct OSLogPrivacy {
  public static var `public`: OSLogPrivacy { fatalError() }
  public static var auto: OSLogPrivacy { fatalError() }
}

@frozen public struct OSLogStringAlignment {
  public static var none: OSLogStringAlignment { fatalError() }
}
