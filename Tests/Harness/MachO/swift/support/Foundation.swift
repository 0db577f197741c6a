// A stand-in for the module Foundation, which has no textual interface: the part that the tests
// use, in terms of the real one. Functions of the loader are those of the test dyld.

@_exported import CTime
@_exported import Dispatch

// MARK: The loader

@_silgen_name("dlopen")
private func loaderOpen(_ path: UnsafePointer<CChar>, _ mode: Int32) -> UnsafeMutableRawPointer?
@_silgen_name("dlclose")
private func loaderClose(_ handle: UnsafeMutableRawPointer) -> Int32
@_silgen_name("dlsym")
private func loaderSymbol(_ handle: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
@_silgen_name("dlerror")
private func loaderError() -> UnsafeMutablePointer<CChar>?

// The values of Apple systems.
public let RTLD_LAZY: Int32 = 0x1
public let RTLD_NOW: Int32 = 0x2
public let RTLD_LOCAL: Int32 = 0x4
public let RTLD_NOLOAD: Int32 = 0x10
public let RTLD_NODELETE: Int32 = 0x80

/// Opens an image. The test dyld has no handle of all images, for which a path of nil asks.
public func dlopen(_ path: UnsafePointer<CChar>?, _ mode: Int32) -> UnsafeMutableRawPointer? {
  path.flatMap { loaderOpen($0, mode) }
}

@discardableResult public func dlclose(_ handle: UnsafeMutableRawPointer) -> Int32 { loaderClose(handle) }

public func dlsym(_ handle: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
  handle.flatMap { loaderSymbol($0, name) }
}

public func dlerror() -> UnsafeMutablePointer<CChar>! { loaderError() }

// MARK: Threads and time

@_silgen_name("host_uptime")
private func hostUptime() -> Double
@_silgen_name("host_processor_count")
private func hostProcessorCount() -> Int
@_silgen_name("host_thread_seconds")
private func hostThreadSeconds() -> Double
@_silgen_name("host_sleep")
private func hostSleep(_ seconds: Double)
@_silgen_name("host_yield")
private func hostYield()
@_silgen_name("host_start_thread")
private func hostStartThread(_ body: @escaping @Sendable () -> Void)
@_silgen_name("host_environment")
private func hostEnvironment(_ name: String) -> String?

public func sched_yield() { hostYield() }
public func usleep(_ microseconds: UInt32) { hostSleep(Double(microseconds) / 1e6) }

public let CLOCK_THREAD_CPUTIME_ID: Int32 = 16

/// Reads the clock of the calling thread, the only one that the tests read.
public func clock_gettime(_ clock: Int32, _ time: inout timespec) {
  precondition(clock == CLOCK_THREAD_CPUTIME_ID)
  let seconds = hostThreadSeconds()
  time.tv_sec = Int(seconds)
  time.tv_nsec = Int((seconds - Double(time.tv_sec)) * 1e9)
}

public enum Thread {
  public static func detachNewThread(_ body: @escaping @Sendable () -> Void) { hostStartThread(body) }
  public static func sleep(forTimeInterval seconds: Double) { hostSleep(seconds) }
}

public struct ProcessInfo: Sendable {
  public struct Environment: Sendable {
    public subscript(name: String) -> String? { hostEnvironment(name) }
  }
  public static let processInfo = ProcessInfo()
  public var systemUptime: Double { hostUptime() }
  public var activeProcessorCount: Int { hostProcessorCount() }
  public var environment: Environment { Environment() }
}

// MARK: Files

@_silgen_name("host_temporary_folder")
private func hostTemporaryFolder() -> String
@_silgen_name("host_create_folder")
private func hostCreateFolder(_ path: String) throws
@_silgen_name("host_remove")
private func hostRemove(_ path: String) throws
@_silgen_name("host_write")
private func hostWrite(_ bytes: [UInt8], _ path: String) throws
@_silgen_name("host_read")
private func hostRead(_ path: String) throws -> [UInt8]
@_silgen_name("host_unique_text")
private func hostUniqueText() -> String
@_silgen_name("host_is_unique_text")
private func hostIsUniqueText(_ text: String) -> Bool
@_silgen_name("host_components")
private func hostComponents(_ text: String) -> (String, [String]?, [String?], String?)?
@_silgen_name("host_url")
private func hostURL(_ text: String) -> String?
@_silgen_name("host_url_host")
private func hostURLHost(_ text: String) -> String?

public struct UUID: Hashable, Codable, Sendable {
  public let uuidString: String

  public init() { uuidString = hostUniqueText() }

  public init?(uuidString: String) {
    guard hostIsUniqueText(uuidString) else { return nil }
    self.uuidString = uuidString.uppercased()
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

public struct URLQueryItem: Hashable, Sendable {
  public let name: String
  public let value: String?

  public init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
}

public struct URLComponents: Sendable {
  public let path: String
  public let queryItems: [URLQueryItem]?
  public let fragment: String?

  public init?(string: String) {
    guard let (path, names, values, fragment) = hostComponents(string) else { return nil }
    self.path = path
    queryItems = names.map { zip($0, values).map { URLQueryItem(name: $0, value: $1) } }
    self.fragment = fragment
  }
}

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

  public var host: String? { hostURLHost(absoluteString) }

  public func appendingPathComponent(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }

  public func deletingLastPathComponent() -> URL {
    URL(fileURLWithPath: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }

  public var lastPathComponent: String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }
}

public struct FileManager: Sendable {
  public static let `default` = FileManager()
  public var temporaryDirectory: URL { URL(fileURLWithPath: hostTemporaryFolder()) }
  public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws { try hostCreateFolder(url.path) }
  public func removeItem(at url: URL) throws { try hostRemove(url.path) }
}

public struct Data: RandomAccessCollection, MutableCollection, RangeReplaceableCollection, Hashable, Codable,
  Sendable
{
  private var bytes: ArraySlice<UInt8>

  public init() { bytes = [] }
  public init(_ bytes: some Sequence<UInt8>) { self.bytes = ArraySlice(bytes) }
  public init(from decoder: any Decoder) throws { bytes = try [UInt8](from: decoder)[...] }
  public func encode(to encoder: any Encoder) throws { try Array(bytes).encode(to: encoder) }
  public init(contentsOf url: URL) throws { bytes = try hostRead(url.path)[...] }

  public var startIndex: Int { bytes.startIndex }
  public var endIndex: Int { bytes.endIndex }
  public subscript(index: Int) -> UInt8 {
    get { bytes[index] }
    set { bytes[index] = newValue }
  }
  public subscript(range: Range<Int>) -> Data {
    get {
      var part = self
      part.bytes = bytes[range]
      return part
    }
    set { bytes[range] = newValue.bytes }
  }
  public mutating func replaceSubrange(_ range: Range<Int>, with other: some Collection<UInt8>) {
    bytes.replaceSubrange(range, with: other)
  }

  public func write(to url: URL) throws { try hostWrite(Array(bytes), url.path) }

  /// Returns the first occurrence of bytes in a range.
  public func range(of other: Data, in range: Range<Int>) -> Range<Int>? {
    guard let first = other.first else { return nil }
    var from = range.lowerBound
    while let start = bytes[from..<range.upperBound].firstIndex(of: first), start + other.count <= range.upperBound {
      if bytes[start..<(start + other.count)] == other.bytes { return start..<(start + other.count) }
      from = start + 1
    }
    return nil
  }
}

// MARK: Numbers and dates

@_silgen_name("host_decimal")
private func hostDecimal(_ text: String) -> String?
@_silgen_name("host_date")
private func hostDate(_ text: String, _ hasFraction: Bool) throws -> Double
@_silgen_name("host_date_text")
private func hostDateText(_ seconds: Double, _ hasFraction: Bool) -> String

public struct Locale: Sendable {
  public init(identifier: String) {}
}

public struct Decimal: Hashable, Codable, Sendable, CustomStringConvertible {
  public let description: String

  public static let nan = Decimal(description: "NaN")

  private init(description: String) { self.description = description }

  public init?(string: String, locale: Locale = Locale(identifier: "en_US_POSIX")) {
    guard let text = hostDecimal(string) else { return nil }
    description = text
  }
}

public struct Date: Hashable, Codable, Sendable {
  public let timeIntervalSinceReferenceDate: Double

  public init(timeIntervalSinceReferenceDate seconds: Double) { timeIntervalSinceReferenceDate = seconds }

  public func formatted(_ style: ISO8601FormatStyle) -> String { style.format(self) }
}

extension Date {
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

@_silgen_name("host_is_json")
private func hostIsJSON(_ bytes: [UInt8]) -> Bool
@_silgen_name("host_format")
private func hostFormat(_ format: String, _ number: Int) -> String
@_silgen_name("host_decoded")
private func hostDecoded(_ text: String) -> String?

public enum JSONSerialization {
  public struct NotJSON: Error {}
  public static func jsonObject(with data: Data) throws -> Any {
    guard hostIsJSON(Array(data)) else { throw NotJSON() }
    return ()
  }
}

extension String {
  public enum Encoding { case utf8 }

  public func write(to url: URL, atomically: Bool, encoding: Encoding) throws { try hostWrite(Array(utf8), url.path) }

  public init(contentsOf url: URL, encoding: Encoding) throws {
    self.init(decoding: try hostRead(url.path), as: UTF8.self)
  }

  /// Formats one number, with a format that has a placeholder for an integer.
  public init(format: String, _ number: Int) { self = hostFormat(format, number) }

  public var removingPercentEncoding: String? { hostDecoded(self) }
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
