import Foundation
import Registry

/// A type that is one text or number where parameters are concerned.
///
/// What else a type's own `init(from:)` would make of it: texts of URLs must do for numbers, and some of Foundation's types have
/// a form of their own for files.
protocol Scalar: Sendable {
  /// The value that something stands for; nil if it stands for none.
  init?(scalar: PropertyValue)

  /// What stands for it.
  var scalar: PropertyValue { get }
}

extension Scalar where Self: FixedWidthInteger {
  init?(scalar: PropertyValue) {
    switch scalar {
    case .integer(let value): self.init(exactly: value)
    case .double(let value): self.init(exactly: value)
    case .string(let text):
      // The plus sign of a query was once a space.
      guard text.utf8.first != UInt8(ascii: "+") else { return nil }
      self.init(text, radix: 10)
    default: return nil
    }
  }

  // Of those that do not fit, the digits.
  var scalar: PropertyValue { Int(exactly: self).map { .integer($0) } ?? .string("\(self)") }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}

extension Double: Scalar {
  init?(scalar: PropertyValue) {
    switch scalar {
    case .integer(let value): self = Double(value)
    case .double(let value): self = value
    case .string(let text):
      // Decimal numbers alone: no hexadecimal ones, `nan` or `inf`.
      guard text.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }), text.utf8.first != UInt8(ascii: "+"),
        let value = Double(text), value.isFinite
      else { return nil }
      self = value
    default: return nil
    }
  }

  var scalar: PropertyValue { .double(self) }
}

extension Float: Scalar {
  init?(scalar: PropertyValue) {
    guard let value = Double(scalar: scalar) else { return nil }
    let float = Float(value)
    guard float.isFinite || !value.isFinite else { return nil }
    self = float
  }

  var scalar: PropertyValue { .string("\(self)") }
}

extension Bool: Scalar {
  init?(scalar: PropertyValue) {
    switch scalar {
    case .bool(let value): self = value
    case .string("true"), .string("1"), .integer(1): self = true
    case .string("false"), .string("0"), .integer(0): self = false
    default: return nil
    }
  }

  var scalar: PropertyValue { .bool(self) }
}

extension String: Scalar {
  init?(scalar: PropertyValue) {
    switch scalar {
    case .string(let text): self = text
    case .integer, .double, .bool: self = scalar.text ?? ""
    default: return nil
    }
  }

  var scalar: PropertyValue { .string(self) }
}

extension URL: Scalar {
  init?(scalar: PropertyValue) {
    guard case .string(let text) = scalar else { return nil }
    self.init(string: text)
  }

  var scalar: PropertyValue { .string(absoluteString) }
}

extension Decimal: Scalar {
  init?(scalar: PropertyValue) {
    // A text that begins with a number would do for Foundation.
    guard let text = scalar.text, Double(scalar: .string(text)) != nil else { return nil }
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  var scalar: PropertyValue { .string(description) }
}

extension Date: Scalar {
  /// As in `2026-03-01T12:30:00Z`, also with a fraction of the second.
  init?(scalar: PropertyValue) {
    guard case .string(let text) = scalar, Self.isTime(text),
      let date = [false, true].lazy.compactMap({ try? Date(text, strategy: .iso8601.fraction($0)) }).first
    else { return nil }
    self = date
  }

  /// Whether a text is a time that there is, in whole: Foundation takes the 30th of February for a day in March, and passes over
  /// what stands behind the zone.
  private static func isTime(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    func take(_ digits: ClosedRange<Int>, _ range: ClosedRange<Int>) -> Int? {
      let number = rest.prefix(digits.upperBound).prefix { (0x30...0x39).contains($0) }
      guard digits.contains(number.count), let value = Int(String(decoding: number, as: UTF8.self)) else { return nil }
      rest = rest.dropFirst(number.count)
      return range.contains(value) ? value : nil
    }
    func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = take(4...6, 0...999_999), take("-"), let month = take(2...2, 1...12), take("-"),
      let day = take(2...2, 1...31), take("T"), take(2...2, 0...23) != nil, take(":"), take(2...2, 0...59) != nil,
      take(":"), take(2...2, 0...60) != nil
    else { return false }
    // Up to 1582 every fourth year was a leap year.
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0 || year < 1583)
    guard day <= [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] else { return false }
    if take("."), take(1...18, 0...Int.max) == nil { return false }
    if take("Z") { return rest.isEmpty }
    guard take("+") || take("-"), take(2...2, 0...23) != nil else { return false }
    if rest.isEmpty { return true }
    _ = take(":")
    return take(2...2, 0...59) != nil && rest.isEmpty
  }

  /// To the millisecond.
  var scalar: PropertyValue {
    let hasFraction = timeIntervalSinceReferenceDate.rounded() != timeIntervalSinceReferenceDate
    return .string(formatted(.iso8601.fraction(hasFraction)))
  }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
  fileprivate static var iso8601: Self { Date.ISO8601FormatStyle() }
}

extension Date.ISO8601FormatStyle {
  fileprivate func fraction(_ isThere: Bool) -> Self {
    Date.ISO8601FormatStyle(includingFractionalSeconds: isThere)
  }
}

extension PropertyValue {
  /// The text that stands for it in a URL; nil for null, lists and objects.
  var text: String? {
    switch self {
    case .null, .date, .bytes, .array, .dictionary: nil
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    // As a number is written that has no fraction: `2`, and not `2.0`.
    case .double(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let text): text
    }
  }
}
