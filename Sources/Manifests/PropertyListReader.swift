import Foundation
import Registry

/// A reader of XML and binary property lists that limits the work of Foundation's decoder.
///
/// Foundation follows every reference to a shared object, so thirty small arrays can expand to a
/// billion values. ``PropertyListCheck`` rejects the inputs that Foundation mishandles.
enum PropertyListReader {
  /// The limit on the number of values. A shared value counts once for each reference.
  static let countLimit = PropertyListCheck.countLimit
  /// The limit on the bytes of all strings. A shared string counts once for each reference.
  static let textLimit = 16_000_000

  static func value(of bytes: [UInt8]) throws(ManifestSyntaxError) -> PropertyValue {
    let data = Data(try PropertyListCheck.decodableBytes(of: bytes))
    let decoder = PropertyListDecoder()
    let budget = Budget()
    decoder.userInfo[Budget.key] = budget
    do {
      return try decoder.decode(DecodedValue.self, from: data).value
    } catch DecodingError.dataCorrupted(let context) where context.underlyingError == nil {
      let path = context.codingPath.path
      throw ManifestSyntaxError.propertyList(
        context.debugDescription + (path.isEmpty ? "" : " (\(path.escapedForDisplay()))"))
    } catch {
      var reason = "\(error)"
      if case DecodingError.dataCorrupted(let context) = error {
        let text = (context.underlyingError as NSError?)?.userInfo["NSDebugDescription"] as? String
        reason = text ?? context.debugDescription
      }
      throw ManifestSyntaxError.propertyList("a syntax error: \(reason.escapedForDisplay(limit: 200))")
    }
  }
}

/// The number of values and the size of the text that a property list can still contain.
// Unchecked because a decoder uses the budget only on the thread that calls the decoder.
private final class Budget: @unchecked Sendable {
  // Safe because the name is not empty.
  static let key = CodingUserInfoKey(rawValue: "budget")!

  var values = PropertyListReader.countLimit
  var text = PropertyListReader.textLimit
}

private struct DecodedValue: Decodable {
  let value: PropertyValue

  init(from decoder: any Decoder) throws {
    func problem(_ text: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }
    let budget = decoder.userInfo[Budget.key] as? Budget ?? Budget()
    func spend(_ text: String) throws {
      budget.text -= text.utf8.count
      guard budget.text >= 0 else {
        throw problem("more than \(PropertyListReader.textLimit) bytes of strings when references are followed")
      }
    }
    budget.values -= 1
    guard budget.values >= 0 else {
      throw problem("more than \(PropertyListReader.countLimit) values when references are followed")
    }
    // An object that contains itself is deeper than any limit.
    func checkDepth() throws {
      guard decoder.codingPath.count < PropertyListCheck.depthLimit else {
        throw problem("nesting deeper than \(PropertyListCheck.depthLimit), or an object that contains itself")
      }
    }
    if (try? decoder.container(keyedBy: NoKey.self)) != nil {
      try checkDepth()
      let members = try [String: DecodedValue](from: decoder)
      for name in members.keys { try spend(name) }
      value = .dictionary(members.mapValues(\.value))
    } else if (try? decoder.unkeyedContainer()) != nil {
      try checkDepth()
      value = .array(try [DecodedValue](from: decoder).map(\.value))
    } else {
      let container = try decoder.singleValueContainer()
      guard !container.decodeNil() else {
        throw problem("a null value or the string '\"$null\"', which Foundation does not distinguish")
      }
      if let text = try? container.decode(String.self) {
        try spend(text)
        value = .string(text)
      } else if let truth = try? container.decode(Bool.self) {
        value = .bool(truth)
      } else if let integer = try? container.decode(Int64.self) {
        value = .integer(integer)
      } else if let number = try? container.decode(Double.self) {
        guard number.isFinite else { throw problem("a number that is not finite") }
        value = .double(number)
      } else if (try? container.decode(Date.self)) != nil {
        throw problem("a date, which settings cannot contain; write it as a string or a number")
      } else if (try? container.decode(Data.self)) != nil {
        throw problem("data, which settings cannot contain; write it as a string")
      } else {
        throw problem("a value that is neither a string, a number of at most 64 bits, nor a Boolean value")
      }
    }
  }
}

/// A key type for testing whether a value is a dictionary.
private enum NoKey: CodingKey {}

extension [any CodingKey] {
  /// The location that the keys lead to, such as `configuration.limits[2]`.
  fileprivate var path: String {
    reduce("") { path, key in
      // A dictionary's key can be a number, too.
      if let index = key.intValue, "\(index)" != key.stringValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }
}
