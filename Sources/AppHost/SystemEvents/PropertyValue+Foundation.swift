public import Foundation
public import Registry

extension Diagnostic.Code {
  package static var unconverted: Self { "unconverted-value" }
}

extension PropertyValue {
  /// A value that a conversion left out, and the reason.
  package struct ConversionProblem: Sendable, Hashable, CustomStringConvertible {
    /// The path to the value, such as `aps.alert[2]`, or an empty string for the whole value.
    package let path: String
    package let reason: String

    package var description: String { path.isEmpty ? reason : "\(path.escapedForDisplay()): \(reason)" }

    package func diagnostic(_ event: String) -> Diagnostic {
      Diagnostic(
        severity: .warning, code: .unconverted, subject: event, image: nil,
        message: "some of its parameters are ignored: \(self)")
    }
  }

  /// Creates a date.
  public static func date(_ date: Date) -> PropertyValue {
    .date(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }

  /// Creates data.
  public static func data(_ data: Data) -> PropertyValue { .bytes(Array(data)) }

  /// The value as a date, or nil if it isn't a date.
  public var date: Date? {
    if case .date(let seconds) = self { Date(timeIntervalSinceReferenceDate: seconds) } else { nil }
  }

  /// The value as data, or nil if it isn't data.
  public var data: Data? { if case .bytes(let bytes) = self { Data(bytes) } else { nil } }

  /// Creates a value from a Foundation object or an equivalent Swift value.
  ///
  /// ```swift
  /// PropertyValue(NSNumber(value: true))  // .bool(true)
  /// ```
  ///
  /// A Boolean `NSNumber` becomes a Boolean value, even on Linux. Decimal numbers, and integers
  /// that don't fit in `Int64`, become floating-point numbers. URLs and UUIDs become strings. Parts
  /// of arrays and dictionaries that can't be converted are omitted.
  ///
  /// - Returns: A value, or nil for other objects that neither property lists nor JSON can contain.
  public init?(_ object: Any) {
    guard let value = Self.converting(object).value else { return nil }
    self = value
  }

  /// Converts an object, and returns the value and the problems that occurred.
  ///
  /// Values nested deeper than 64 levels or beyond the first 100,000 are omitted, so every
  /// conversion ends.
  package static func converting(_ object: Any) -> (value: PropertyValue?, leftOut: [PropertyValue.ConversionProblem]) {
    var conversion = Conversion()
    let value = conversion.value(of: object)
    return (value, conversion.leftOut)
  }

  /// The value as an object for Foundation's and Apple's APIs.
  ///
  /// The type is `Bool`, `Int`, `Double`, `String`, `Date`, `Data`, `NSNull`, `[Any]`, or
  /// `[String: Any]`. If `Int` has 32 bits, larger integers are `Int64`. On Apple systems, Swift
  /// converts these types to classes such as `NSNumber` when you pass the object to Objective-C.
  public var object: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): Int(exactly: value) ?? value as Any
    case .double(let value): value
    case .string(let value): value
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .bytes(let bytes): Data(bytes)
    case .array(let values): values.map(\.object)
    case .dictionary(let values): values.mapValues(\.object)
    }
  }
}

extension Dictionary where Key == String, Value == PropertyValue {
  /// Creates a dictionary from a Foundation dictionary, such as the user info of a notification.
  /// An entry is omitted if its key isn't a string or its value can't be converted.
  package init(userInfo: [AnyHashable: Any]) {
    self = PropertyValue(userInfo)?.dictionary ?? [:]
  }

  /// The values as objects for Foundation's and Apple's APIs.
  package var objects: [String: Any] { mapValues(\.object) }
}

private struct Conversion {
  /// The same limit as for manifests.
  private static let depthLimit = 64
  /// A limit is needed because an object can contain itself, or the same object many times.
  private static let countLimit = 100_000
  /// The maximum number of problems to list. Further problems are only counted.
  private static let listLimit = 100

  private var problems: [PropertyValue.ConversionProblem] = []
  private var unlistedCount = 0
  private var count = 0
  private var path: [String] = []

  var leftOut: [PropertyValue.ConversionProblem] {
    let list = problems.sorted { ($0.path, $0.reason) < ($1.path, $1.reason) }
    guard unlistedCount > 0 else { return list }
    let rest = PropertyValue.ConversionProblem(
      path: "", reason: "\(unlistedCount.counted("more value")) that cannot be converted")
    return list + [rest]
  }

  mutating func value(of object: Any) -> PropertyValue? {
    count += 1
    guard count <= Self.countLimit else {
      // Report the limit for the first value beyond it.
      if count == Self.countLimit + 1 {
        leaveOut("there are more than \(Self.countLimit) values; the others are ignored")
      }
      return nil
    }
    // Check collections first, because on Linux, the casts to classes below would copy their
    // contents.
    if let elements = object as? [Any] { return nested(elements.count) { $0.array(of: elements) } }
    if let members = object as? [AnyHashable: Any] { return nested(members.count) { $0.dictionary(of: members) } }
    if let text = object as? String { return .string(text) }
    // Cast numbers to NSNumber, because on Linux, the number 1 also casts to Bool.
    if let number = object as? NSNumber { return Self.value(of: number) }
    if object is NSNull { return .null }
    if let date = object as? Date { return .date(date) }
    if let data = object as? Data { return .data(data) }
    if let url = object as? URL { return .string(url.absoluteString) }
    if let uuid = object as? UUID { return .string(uuid.uuidString) }
    leaveOut("a property list cannot contain a value of type '\(type(of: object))'")
    return nil
  }

  private mutating func nested(_ size: Int, _ body: (inout Conversion) -> PropertyValue) -> PropertyValue? {
    guard path.count < Self.depthLimit else {
      // Count the elements, because the cast has already read each of them.
      count = min(count + size, Self.countLimit)
      leaveOut("the value is nested deeper than \(Self.depthLimit)")
      return nil
    }
    return body(&self)
  }

  private mutating func array(of elements: [Any]) -> PropertyValue {
    var values: [PropertyValue] = []
    for (index, element) in elements.enumerated() {
      if count > Self.countLimit { break }
      path.append("[\(index)]")
      if let value = value(of: element) { values.append(value) }
      path.removeLast()
    }
    return .array(values)
  }

  private mutating func dictionary(of members: [AnyHashable: Any]) -> PropertyValue {
    var values: [String: PropertyValue] = [:]
    for (key, member) in members {
      if count > Self.countLimit { break }
      path.append(key.base as? String ?? Self.spelling(key.base))
      if let name = key.base as? String {
        // Foundation compares code units, so two different Foundation keys can be equal in Swift.
        if values[name] != nil { leaveOut("another key has the same characters") }
        values[name] = values[name] ?? value(of: member)
      } else {
        leaveOut("the key is not a string but a value of type '\(type(of: key.base))'")
      }
      path.removeLast()
    }
    return .dictionary(values)
  }

  /// Returns a number's text. For other objects, returns only the type, because their descriptions
  /// are user code and can have any length.
  private static func spelling(_ key: Any) -> String {
    (key as? NSNumber).map { "\($0)" } ?? "(\(type(of: key)))"
  }

  private mutating func leaveOut(_ reason: String) {
    guard problems.count < Self.listLimit else { return unlistedCount += 1 }
    let text = path.reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    problems.append(PropertyValue.ConversionProblem(path: text, reason: reason))
  }

  /// The class of Boolean numbers. Linux lacks Core Foundation's type IDs, and on Apple systems
  /// `objCType` is the same for an `Int8`.
  private static let boolean: NSNumber.Type = type(of: NSNumber(value: true))

  private static func value(of number: NSNumber) -> PropertyValue {
    if type(of: number) == boolean { return .bool(number.boolValue) }
    // The types are "f" (`Float`) and "d" (`Double`). Decimal numbers have the type "d".
    if [0x66, 0x64].contains(number.objCType.pointee) { return .double(number.doubleValue) }
    // Only unsigned numbers can exceed `Int64`.
    return Int64(exactly: number).map { .integer($0) } ?? .double(number.doubleValue)
  }
}
