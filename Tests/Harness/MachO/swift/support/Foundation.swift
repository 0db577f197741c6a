// A stand-in for the module Foundation, which has no textual interface: the part that Routing and
// the tests use. The functions in host/ call the real one, and bridge.c provides functions of C.

@_exported import CTime
@_exported import Dispatch

// MARK: The loader, which is the test dyld

@_silgen_name("dlopen")
private func loaderOpen(_ path: UnsafePointer<CChar>, _ mode: Int32) -> UnsafeMutableRawPointer?

// The values of Apple systems.
public let RTLD_LAZY: Int32 = 0x1
public let RTLD_NOW: Int32 = 0x2
public let RTLD_LOCAL: Int32 = 0x4
public let RTLD_NOLOAD: Int32 = 0x10
public let RTLD_NODELETE: Int32 = 0x80

/// Opens an image. The test dyld has no handle of all images, which a path of nil requests.
public func dlopen(_ path: UnsafePointer<CChar>?, _ mode: Int32) -> UnsafeMutableRawPointer? {
  path.flatMap { loaderOpen($0, mode) }
}

@_silgen_name("dlclose") @discardableResult
public func dlclose(_ handle: UnsafeMutableRawPointer) -> Int32
@_silgen_name("dlsym")
public func dlsym(_ handle: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
@_silgen_name("dlerror")
public func dlerror() -> UnsafeMutablePointer<CChar>!

// MARK: Threads, time, and the process

@_silgen_name("sched_yield")
public func sched_yield()
@_silgen_name("usleep")
private func usleep(_ microseconds: UInt32)
@_silgen_name("get_nprocs")
private func processorCount() -> Int32
@_silgen_name("getenv")
private func getenv(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>?
@_silgen_name("host_start_thread")
private func hostStartThread(_ body: @escaping @Sendable () -> Void)

public let CLOCK_THREAD_CPUTIME_ID = clockid_t(16)

public enum Thread {
  public static func detachNewThread(_ body: @escaping @Sendable () -> Void) { hostStartThread(body) }
  public static func sleep(forTimeInterval seconds: Double) { usleep(UInt32(seconds * 1e6)) }
}

public struct ProcessInfo: Sendable {
  public struct Environment: Sendable {
    public subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }
  }
  public static let processInfo = ProcessInfo()
  private let start = SuspendingClock.now
  public var systemUptime: Double { start.duration(to: .now) / .seconds(1) }
  public var activeProcessorCount: Int { Int(processorCount()) }
  public var environment: Environment { Environment() }
}

// MARK: Files

@_silgen_name("mkdir")
private func mkdir(_ path: UnsafePointer<CChar>, _ mode: UInt32) -> Int32
@_silgen_name("host_remove")
private func hostRemove(_ path: String) throws
@_silgen_name("host_write")
private func hostWrite(_ bytes: [UInt8], _ path: String) throws
@_silgen_name("host_read")
private func hostRead(_ path: String) throws -> [UInt8]

public struct FileManager: Sendable {
  public struct NoFolder: Error {}
  public static let `default` = FileManager()
  public var temporaryDirectory: URL {
    URL(fileURLWithPath: ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp")
  }
  public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {
    guard mkdir(url.path, 0o777) == 0 else { throw NoFolder() }
  }
  public func removeItem(at url: URL) throws { try hostRemove(url.path) }
}

public typealias Data = [UInt8]

extension Data {
  public init(contentsOf url: URL) throws { self = try hostRead(url.path) }

  /// Returns the first occurrence of bytes in a range.
  public func range(of other: Data, in range: Range<Int>) -> Range<Int>? {
    guard let first = other.first else { return nil }
    var from = range.lowerBound
    while let start = self[from..<range.upperBound].firstIndex(of: first), start + other.count <= range.upperBound {
      if self[start..<(start + other.count)] == other[...] { return start..<(start + other.count) }
      from = start + 1
    }
    return nil
  }
}

extension Collection<UInt8> {
  public func write(to url: URL) throws { try hostWrite(Array(self), url.path) }
}

// MARK: Values in URLs

@_silgen_name("host_url")
private func hostURL(_ text: String) -> String?
@_silgen_name("host_uuid")
private func hostUUID(_ text: String?) -> String?
@_silgen_name("host_decimal")
private func hostDecimal(_ text: String) -> String?
@_silgen_name("host_date")
private func hostDate(_ text: String, _ hasFraction: Bool) throws -> Double
@_silgen_name("host_date_text")
private func hostDateText(_ seconds: Double, _ hasFraction: Bool) -> String

public struct URL: Hashable, Codable, Sendable, CustomStringConvertible {
  public let absoluteString: String
  public let path: String
  public var description: String { absoluteString }

  public init(fileURLWithPath path: String) {
    self.path = path
    absoluteString = "file://" + path
  }

  public init?(string: String) {
    guard let text = hostURL(string) else { return nil }
    absoluteString = text
    path = ""
  }

  public var scheme: String? { absoluteString.components(separatedBy: ":").first }
  public var host: String? { absoluteString.components(separatedBy: "/").dropFirst(2).first }

  public func appendingPathComponent(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }

  public func deletingLastPathComponent() -> URL {
    URL(fileURLWithPath: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }
}

public struct URLQueryItem: Hashable, Sendable {
  public let name: String
  public let value: String?

  public init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
}

public struct UUID: Hashable, Codable, Sendable {
  public let uuidString: String

  public init() { uuidString = hostUUID(nil)! }

  public init?(uuidString text: String) {
    guard let text = hostUUID(text) else { return nil }
    uuidString = text
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = UUID(uuidString: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuidString)
  }
}

public struct Locale: Sendable {
  public init(identifier: String) {}
}

public struct Decimal: Hashable, Codable, Sendable, CustomStringConvertible {
  public let description: String

  public static let nan = Decimal(description: "NaN")
  public static let greatestFiniteMagnitude = Decimal(string: "340282366920938463463374607431768211455e127")!
  public static let leastNonzeroMagnitude = Decimal(string: "1e-127")!

  private init(description: String) { self.description = description }

  public init?(string: String, locale: Locale = Locale(identifier: "en_US_POSIX")) {
    guard let text = hostDecimal(string) else { return nil }
    description = text
  }

  public static prefix func - (number: Self) -> Self { Decimal(string: "-\(number)")! }
}

public struct Date: Hashable, Codable, Sendable {
  public let timeIntervalSinceReferenceDate: Double

  public init(timeIntervalSinceReferenceDate seconds: Double) { timeIntervalSinceReferenceDate = seconds }

  public func timeIntervalSince(_ other: Date) -> Double {
    timeIntervalSinceReferenceDate - other.timeIntervalSinceReferenceDate
  }

  public func formatted(_ style: ISO8601FormatStyle) -> String { style.format(self) }

  public struct ISO8601FormatStyle: Sendable {
    private let hasFraction: Bool

    public init(includingFractionalSeconds: Bool = false) { hasFraction = includingFractionalSeconds }

    public func parse(_ text: String) throws -> Date {
      Date(timeIntervalSinceReferenceDate: try hostDate(text, hasFraction))
    }

    public func format(_ date: Date) -> String { hostDateText(date.timeIntervalSinceReferenceDate, hasFraction) }
  }
}

// MARK: Text

@_silgen_name("host_check_json")
private func hostCheckJSON(_ bytes: [UInt8]) throws
@_silgen_name("host_matches")
private func hostMatches(_ text: String, _ pattern: String) -> Bool

public enum JSONSerialization {
  public static func jsonObject(with data: Data) throws { try hostCheckJSON(data) }
}

extension String {
  public enum Encoding { case utf8 }
  public enum CompareOptions { case regularExpression }

  /// Returns a range if the text matches an expression. Callers don't use the range itself.
  public func range(of pattern: String, options: CompareOptions) -> Range<Index>? {
    hostMatches(self, pattern) ? startIndex..<endIndex : nil
  }

  public func write(to url: URL, atomically: Bool, encoding: Encoding) throws { try utf8.write(to: url) }

  public init(contentsOf url: URL, encoding: Encoding) throws {
    self.init(decoding: try hostRead(url.path), as: UTF8.self)
  }
}

extension StringProtocol {
  public func components(separatedBy separator: String) -> [String] {
    var (parts, rest) = ([] as [String], Substring(self))
    while let start = rest.indices.first(where: { rest[$0...].hasPrefix(separator) }) {
      parts.append(String(rest[..<start]))
      rest = rest[start...].dropFirst(separator.count)
    }
    return parts + [String(rest)]
  }

  public func replacingOccurrences(of target: String, with replacement: String) -> String {
    components(separatedBy: target).joined(separator: replacement)
  }
}
