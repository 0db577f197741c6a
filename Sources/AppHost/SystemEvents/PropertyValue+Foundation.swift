public import Foundation
public import Registry

/// A value that has no counterpart among ``PropertyValue``s, and was left out of a conversion.
public struct UnconvertedValue: Sendable, Hashable, CustomStringConvertible {
  /// Where it stood, from the outside in: `aps.alert[2]`; empty for the whole.
  public let path: String
  /// What about it cannot be converted.
  public let reason: String

  /// `aps.image: a value of type UIImage is none of a property list's`.
  public var description: String { path.isEmpty ? reason : "\(path.escapedForDisplay()): \(reason)" }
}

extension Diagnostic.Code {
  /// Something that came as a property list has a value that is none of a property list's; it is left out.
  public static let unconverted = Self(rawValue: "unconverted-value")
}

extension UnconvertedValue {
  /// What to report of it.
  ///
  /// - Parameters:
  ///   - subject: Whose value it was.
  ///   - place: What it stood in: `in the parameters`.
  package func diagnostic(_ subject: String, _ place: String) -> Diagnostic {
    Diagnostic(
      severity: .warning, code: .unconverted, subject: subject, image: nil, message: "\(place): \(self); it is left out"
    )
  }
}

extension PropertyValue {
  /// Makes a date.
  public static func date(_ date: Date) -> PropertyValue {
    .date(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }

  /// Makes data.
  public static func data(_ data: Data) -> PropertyValue { .bytes(Array(data)) }

  /// The value if it is a date.
  public var date: Date? {
    if case .date(let seconds) = self { Date(timeIntervalSinceReferenceDate: seconds) } else { nil }
  }

  /// The value if it is data.
  public var data: Data? { if case .bytes(let bytes) = self { Data(bytes) } else { nil } }

  /// Converts an object of Foundation's, as Objective-C passes it, or the Swift value that it stands for.
  ///
  /// ```swift
  /// PropertyValue(NSNumber(value: true))  // .bool(true)
  /// ```
  ///
  /// Numbers that are Booleans stay that, on Linux as on Apple systems. An integer beyond `Int` and a decimal number become floating-point
  /// numbers, a URL and a UUID their texts. What cannot be converted is left out of arrays and dictionaries; ``converting(_:)`` says what
  /// that was.
  ///
  /// - Returns: Nil if it is none of these: numbers, texts, dates, bytes, `NSNull`, arrays and dictionaries with texts as keys.
  public init?(_ object: Any) {
    guard let value = Self.converting(object).value else { return nil }
    self = value
  }

  /// Converts an object and says what was left out, by path.
  ///
  /// No object makes it run on or crash: beyond 64 levels, and beyond 100,000 values, the rest is left out. An array that contains
  /// itself is cut off so too; on Linux Foundation itself does not survive a look into one.
  public static func converting(_ object: Any) -> (value: PropertyValue?, leftOut: [UnconvertedValue]) {
    var conversion = Conversion()
    let value = conversion.value(of: object)
    return (value, conversion.leftOut)
  }

  /// The value as what Foundation's and Apple's interfaces take: `Bool`, `Int`, `Double`, `String`, `Date`, `Data`, `NSNull`, `[Any]` or
  /// `[String: Any]`.
  ///
  /// On Apple systems these become `NSNumber` and so on by themselves where they are passed to Objective-C.
  public var object: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): value
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
  /// Converts a dictionary of Foundation's, such as a notification's `userInfo`; see ``PropertyValue/init(_:)``.
  ///
  /// Entries whose keys are no texts are left out too; ``converting(userInfo:)`` says what was.
  public init(userInfo: [AnyHashable: Any]) {
    self = Self.converting(userInfo: userInfo).value
  }

  /// Converts a dictionary and says what was left out, by path.
  public static func converting(
    userInfo: [AnyHashable: Any]
  ) -> (value: [String: PropertyValue], leftOut: [UnconvertedValue]) {
    let (value, leftOut) = PropertyValue.converting(userInfo)
    return (value?.dictionary ?? [:], leftOut)
  }

  /// The values as what Foundation's and Apple's interfaces take; see ``PropertyValue/object``.
  public var objects: [String: Any] { mapValues(\.object) }
}

/// A conversion under way.
private struct Conversion {
  /// As for manifests.
  private static let depthLimit = 64
  /// An object may be in itself, and more than once.
  private static let countLimit = 100_000
  /// Of more than so many it is said how many there are.
  private static let tellLimit = 100

  private var told: [UnconvertedValue] = []
  private var untold = 0
  private var count = 0
  private var saidFull = false
  /// Made a text only where something is told.
  private var path: [Step] = []

  private enum Step {
    case key(String)
    case index(Int)
  }

  var leftOut: [UnconvertedValue] {
    let list = told.sorted { ($0.path, $0.reason) < ($1.path, $1.reason) }
    return untold == 0 ? list : list + [UnconvertedValue(path: "", reason: "\(untold) more are left out")]
  }

  mutating func value(of object: Any) -> PropertyValue? {
    count += 1
    if isFull { return nil }
    // First, as on Linux the casts to classes below would copy all that is in them.
    if let elements = object as? [Any] { return nested(elements.count) { $0.array(of: elements) } }
    if let members = object as? [AnyHashable: Any] { return nested(members.count) { $0.dictionary(of: members) } }
    if let text = object as? String { return .string(text) }
    // Before Bool and Int: on Linux a cast takes the number 1 for a Boolean.
    if let number = object as? NSNumber { return Self.value(of: number) }
    if object is NSNull { return .null }
    if let date = object as? Date { return .date(date) }
    if let data = object as? Data { return .data(data) }
    if let url = object as? URL { return .string(url.absoluteString) }
    if let uuid = object as? UUID { return .string(uuid.uuidString) }
    leaveOut("a value of type \(type(of: object)) is none of a property list's")
    return nil
  }

  /// Whether there is no room for what comes next, which is said. One word on that is enough.
  private var isFull: Bool {
    mutating get {
      guard count > Self.countLimit else { return false }
      if !saidFull { leaveOut("there are more than \(Self.countLimit) values; the rest is left out") }
      saidFull = true
      return true
    }
  }

  private mutating func nested(_ size: Int, _ body: (inout Conversion) -> PropertyValue) -> PropertyValue? {
    guard path.count < Self.depthLimit else {
      // The cast has looked at each already.
      count += size
      leaveOut("it is nested deeper than \(Self.depthLimit)")
      return nil
    }
    return body(&self)
  }

  private mutating func array(of elements: [Any]) -> PropertyValue {
    var values: [PropertyValue] = []
    for (index, element) in elements.enumerated() {
      if isFull { break }
      path.append(.index(index))
      if let value = value(of: element) { values.append(value) }
      path.removeLast()
    }
    return .array(values)
  }

  private mutating func dictionary(of members: [AnyHashable: Any]) -> PropertyValue {
    var values: [String: PropertyValue] = [:]
    for (key, member) in members {
      if isFull { break }
      path.append(.key(key.base as? String ?? Self.spelling(key.base)))
      if let name = key.base as? String {
        // Foundation compares code units, so there may be two keys that Swift takes for one.
        if values[name] != nil { leaveOut("there is another key that reads the same") }
        values[name] = values[name] ?? value(of: member)
      } else {
        leaveOut("its key is no text but of type \(type(of: key.base))")
      }
      path.removeLast()
    }
    return .dictionary(values)
  }

  /// A number, or else only the type: the text of any other object is the user's code, and may have no end.
  private static func spelling(_ key: Any) -> String {
    (key as? NSNumber).map { "\($0)" } ?? "(\(type(of: key)))"
  }

  private mutating func leaveOut(_ reason: String) {
    guard told.count < Self.tellLimit else { return untold += 1 }
    var text = ""
    for step in path {
      switch step {
      case .key(let name): text += (text.isEmpty ? "" : ".") + name
      case .index(let index): text += "[\(index)]"
      }
    }
    told.append(UnconvertedValue(path: text, reason: reason))
  }

  /// The class of the numbers that are Booleans. Neither Core Foundation's type ids, which Linux lacks, nor `objCType`: on Apple systems
  /// an `Int8` has the same one.
  private static let boolean: NSNumber.Type = type(of: NSNumber(value: true))

  private static func value(of number: NSNumber) -> PropertyValue {
    if type(of: number) == boolean { return .bool(number.boolValue) }
    // "f" and "d"; a decimal number says "d".
    if [0x66, 0x64].contains(number.objCType.pointee) { return .double(number.doubleValue) }
    // Only unsigned numbers are beyond Int, where that has 64 bits.
    return Int(exactly: number).map { .integer($0) } ?? .double(number.doubleValue)
  }
}
