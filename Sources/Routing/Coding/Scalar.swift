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
  /// Creates a date from ISO 8601 text such as `2026-03-01T12:30:00Z`, with or without a fraction.
  init?(scalar: PropertyValue) {
    guard case .string(let text) = scalar, let time = text.firstIndex(of: "T"),
      let end = text[time...].firstIndex(where: { ".Z+-".contains($0) })
    else { return nil }
    // Foundation reads February 30 as a day in March, and numbers of any length. Formatting what
    // it read shows that. It also ignores text after the time zone.
    let local = text[..<end] + "Z"
    let zone = text[end...].drop { ".0123456789".contains($0) }
    let style = ISO8601FormatStyle()
    guard let parsed = try? style.parse(String(local)), style.format(parsed) == local, Self.isTimeZone(zone),
      let date = (try? style.parse(text)) ?? (try? ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    else { return nil }
    self = date
  }

  /// Returns whether text has the form `Z`, `+01`, `+0100`, or `+01:00`.
  private static func isTimeZone(_ text: Substring) -> Bool {
    let digits = text.filter(\.isNumber).count
    switch text.count {
    case 1: return text == "Z"
    case 3: return digits == 2 && text.first != "Z"
    default: return digits == 4 && text.count <= 6 && text.first != "Z"
    }
  }

  /// The date as text, to the millisecond.
  var scalar: PropertyValue {
    let hasFraction = timeIntervalSinceReferenceDate.rounded() != timeIntervalSinceReferenceDate
    return .string(formatted(ISO8601FormatStyle(includingFractionalSeconds: hasFraction)))
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
