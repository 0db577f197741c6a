import Foundation
import Registry

/// A type whose values are represented by a single string, number, Boolean value, or date.
///
/// Values of these types aren't coded with their own `Codable` conformances, because numbers must
/// accept text in a URL, and some Foundation types encode themselves in a format meant for files.
protocol Scalar: Sendable {
  /// Creates the value that a scalar represents, or returns nil.
  init?(scalar: PropertyValue)

  var scalar: PropertyValue { get }
}

extension Scalar where Self: FixedWidthInteger {
  init?(scalar: PropertyValue) {
    switch scalar {
    case .integer(let value): self.init(exactly: value)
    case .double(let value): self.init(exactly: value)
    case .string(let text):
      // Many encoders write a space in a query as a plus sign, so reject a leading plus sign.
      guard text.utf8.first != UInt8(ascii: "+") else { return nil }
      self.init(text, radix: 10)
    default: return nil
    }
  }

  // Integers outside the range of `Int64` are represented by their digits.
  var scalar: PropertyValue { Int64(exactly: self).map { .integer($0) } ?? .string("\(self)") }
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
      // Accept only decimal notation: `Double` also parses hexadecimal numbers, `nan`, and `inf`.
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
    // Foundation also accepts text that merely begins with a number.
    guard let text = scalar.text, Double(scalar: .string(text)) != nil else { return nil }
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  var scalar: PropertyValue { .string(description) }
}

extension Date: Scalar {
  /// Creates a date from a property list's date or from ISO 8601 text such as
  /// `2026-03-01T12:30:00Z`, whose seconds can have a fraction.
  init?(scalar: PropertyValue) {
    switch scalar {
    case .date(let seconds): self.init(timeIntervalSinceReferenceDate: seconds)
    case .string(let text):
      guard Self.isValid(text),
        let date = (try? ISO8601FormatStyle().parse(text))
          ?? (try? ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      else { return nil }
      self = date
    default: return nil
    }
  }

  /// Returns whether text consists of a date, a time, and a zone that Foundation reads as written.
  private static func isValid(_ text: String) -> Bool {
    // Foundation accepts numbers of any length and the zone `+00:99`, and ignores text after it.
    let date = "[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}"
    let zone = "Z|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?"
    let form = "^\(date):([0-5][0-9]|60)(\\.[0-9]+)?(\(zone))\\z"
    guard text.range(of: form, options: .regularExpression) != nil else { return false }
    // Foundation reads February 30 as a day in March, which formatting the result reveals. Leave
    // out the second, because Foundation reads a leap second as a part of the next minute.
    let parts = text.split(separator: "T")
    let (minute, style) = ("\(parts[0])T\(parts[1].prefix(5)):00Z", ISO8601FormatStyle())
    return (try? style.parse(minute)).map(style.format) == minute
  }

  /// The date as text, to the millisecond, or as `.date` if the text would be read back as a
  /// different date.
  var scalar: PropertyValue {
    let seconds = timeIntervalSinceReferenceDate
    // Foundation traps if it formats a date millions of years away.
    guard abs(seconds) < 1e14 else { return .date(secondsSinceReferenceDate: seconds) }
    let milliseconds = (seconds * 1000).rounded()
    let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
    // Foundation truncates fractions, and many milliseconds are slightly too small in binary, so
    // format the middle of the millisecond.
    let date = Date(timeIntervalSinceReferenceDate: (milliseconds + (isWhole ? 0 : 0.5)) / 1000)
    let text = PropertyValue.string(date.formatted(ISO8601FormatStyle(includingFractionalSeconds: !isWhole)))
    guard let read = Date(scalar: text), abs(read.timeIntervalSinceReferenceDate - seconds) < 0.001 else {
      return .date(secondsSinceReferenceDate: seconds)
    }
    return text
  }
}

extension PropertyValue {
  /// The text that represents the value in a URL, or nil for a value without text, such as a date.
  var text: String? {
    switch self {
    case .null, .date, .bytes, .array, .dictionary: nil
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    // Write a whole number without a fraction: `2`, not `2.0`.
    case .double(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let text): text
    }
  }
}
