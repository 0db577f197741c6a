import Foundation
import Registry

/// A reader of XML and binary property lists that limits what Foundation's decoder gets to see.
///
/// `PropertyListDecoder` ends the process on some input: it recurses into nested XML elements, and
/// it does not check the end of a binary object of every kind. It also follows every reference to a
/// shared object, so that thirty small arrays can stand for a billion values. The checks before it
/// are about those inputs only; everything else is left to Foundation.
enum PropertyListReader {
  /// The same limit as for the JSON of records.
  static let depthLimit = 64
  /// The limit on the number of values, counted again for every reference to them.
  static let countLimit = 100_000
  /// The limit on the bytes of all strings, counted again for every reference to them.
  static let textLimit = 16_000_000

  /// Reads an XML property list in UTF-8.
  static func xml(_ bytes: [UInt8]) throws(ManifestSyntaxError) -> PropertyValue {
    // A null byte or another encoding could hide tags from the nesting check.
    guard !bytes.contains(0), String(bytes: bytes, encoding: .utf8) != nil else {
      throw error("text that is not UTF-8")
    }
    // The element <plist> and the one of the innermost value come in addition.
    guard !nests(bytes, deeperThan: depthLimit + 2) else { throw error("nesting deeper than \(depthLimit)") }
    // Without the XML declaration, which can name another encoding, Foundation reads UTF-8.
    let declarationEnd = bytes.starts(with: "<?xml".utf8) ? bytes.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } : 0
    return try decode(Data(bytes[(declarationEnd ?? 0)...]))
  }

  /// Reads a binary property list.
  static func binary(_ bytes: [UInt8]) throws(ManifestSyntaxError) -> PropertyValue {
    try checkObjects(of: bytes)
    return try decode(Data(bytes))
  }

  private static func error(_ problem: String) -> ManifestSyntaxError {
    ManifestSyntaxError(message: "it is a property list with \(problem); `plutil -lint` says more")
  }

  private static func decode(_ data: Data) throws(ManifestSyntaxError) -> PropertyValue {
    let decoder = PropertyListDecoder()
    let budget = Budget()
    decoder.userInfo[Budget.key] = budget
    do {
      return try decoder.decode(DecodedValue.self, from: data).value
    } catch DecodingError.dataCorrupted(let context) where context.underlyingError == nil {
      let path = context.codingPath.path
      throw error(context.debugDescription + (path.isEmpty ? "" : " (\(path.escapedForDisplay()))"))
    } catch let DecodingError.dataCorrupted(context) {
      let reason = (context.underlyingError as NSError?)?.userInfo["NSDebugDescription"] as? String
      throw error("a mistake: \((reason ?? context.debugDescription).escapedForDisplay(limit: 200))")
    } catch {
      throw Self.error("a mistake: \("\(error)".escapedForDisplay(limit: 200))")
    }
  }

  // MARK: - XML

  /// Returns a Boolean value that indicates whether elements can be nested deeper than a limit.
  ///
  /// Every opening tag counts, but a closing tag counts only outside comments and the like, so
  /// that no text can make the depth smaller than the one that Foundation reaches.
  private static func nests(_ bytes: [UInt8], deeperThan limit: Int) -> Bool {
    var depth = 0
    var end: [UInt8] = []
    for index in bytes.indices {
      let rest = bytes[index...]
      if !end.isEmpty, rest.starts(with: end) {
        if end == [UInt8(ascii: ">")], bytes[index - 1] == UInt8(ascii: "/") { depth -= 1 }
        end = []
      }
      guard bytes[index] == UInt8(ascii: "<") else { continue }
      switch bytes.dropFirst(index + 1).first {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        guard end.isEmpty else { continue }
        let markup = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
        end = markup.first { rest.starts(with: $0.0.utf8) }.map { Array($0.1.utf8) } ?? []
      case UInt8(ascii: "/"):
        if end.isEmpty { depth -= 1 }
      default:
        depth += 1
        if depth > limit { return true }
        if end.isEmpty { end = [UInt8(ascii: ">")] }
      }
    }
    return false
  }

  // MARK: - Binary

  /// Checks that every object lies between the header and the table of offsets.
  private static func checkObjects(of bytes: [UInt8]) throws(ManifestSyntaxError) {
    let trailer = bytes.count - 32
    guard trailer >= 8 else { throw error("no trailer, because it breaks off before") }
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), UInt64(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Int(exactly: integer(bytes[(trailer + 8)..<(trailer + 16)])), count <= countLimit,
      let table = Int(exactly: integer(bytes[(trailer + 24)...])), (8...trailer).contains(table),
      count * offsetSize <= trailer - table
    else { throw error("a trailer that does not fit it, or more than \(countLimit) values") }
    for index in 0..<count {
      let entry = table + index * offsetSize
      let start = integer(bytes[entry..<(entry + offsetSize)])
      guard start >= 8, start < table, let end = end(ofObjectAt: Int(start), in: bytes[..<table], referenceSize),
        end <= table
      else { throw error("an object that is of no known kind, or reaches beyond the objects") }
    }
  }

  /// Returns the index after an object, or nil if the object is of no known kind.
  private static func end(
    ofObjectAt start: Int, in bytes: ArraySlice<UInt8>, _ referenceSize: UInt64
  ) -> UInt64? {
    var (count, content) = (UInt64(bytes[start] & 0xf), start + 1)
    let size: UInt64? =
      switch bytes[start] >> 4 {
      case 0x0: 0
      case 0x4, 0x5: 1
      case 0x6: 2
      case 0xa, 0xc: referenceSize
      case 0xd: 2 * referenceSize
      default: nil
      }
    // Numbers, dates, and unique identifiers hold the size of their content instead of a count.
    guard let size else {
      return switch bytes[start] >> 4 {
      case 0x1 where count <= 4, 0x2 where count <= 4, 0x3 where count <= 4: UInt64(content) + 1 << count
      case 0x8: UInt64(content) + count + 1
      default: nil
      }
    }
    if size > 0, count == 0xf {
      // A count of four bytes is the largest that Foundation can multiply without an overflow.
      guard let marker = bytes.dropFirst(content).first, (0x10...0x12).contains(marker) else { return nil }
      let countSize = 1 << Int(marker & 0xf)
      count = integer(bytes.dropFirst(content + 1).prefix(countSize))
      content += 1 + countSize
    }
    return UInt64(content) + size * count
  }

  /// Returns the number that bytes stand for, the highest byte first.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The number of values and the size of the text that a property list may still have.
// Unchecked because a decoder uses it only on the thread that calls it.
private final class Budget: @unchecked Sendable {
  // Safe because the name is not empty.
  static let key = CodingUserInfoKey(rawValue: "budget")!

  var values = PropertyListReader.countLimit
  var text = PropertyListReader.textLimit
}

/// A value of a property list as Foundation decodes it.
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
        throw problem("strings of more than \(PropertyListReader.textLimit) bytes when its references are followed")
      }
    }
    budget.values -= 1
    guard budget.values >= 0 else {
      throw problem("more than \(PropertyListReader.countLimit) values when its references are followed")
    }
    // An object that contains itself is deeper than any limit.
    func checkDepth() throws {
      guard decoder.codingPath.count < PropertyListReader.depthLimit else {
        throw problem("nesting deeper than \(PropertyListReader.depthLimit), or with an object that contains itself")
      }
    }
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      try checkDepth()
      var members: [String: PropertyValue] = [:]
      for key in container.allKeys {
        try spend(key.stringValue)
        members[key.stringValue] = try container.decode(DecodedValue.self, forKey: key).value
      }
      value = .dictionary(members)
    } else if var container = try? decoder.unkeyedContainer() {
      try checkDepth()
      var elements: [PropertyValue] = []
      while !container.isAtEnd { elements.append(try container.decode(DecodedValue.self).value) }
      value = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        try spend(text)
        value = .string(text)
      } else if let truth = try? container.decode(Bool.self) {
        value = .bool(truth)
      } else if let integer = try? container.decode(Int.self) {
        value = .integer(integer)
      } else if let number = try? container.decode(Double.self) {
        guard number.isFinite else { throw problem("a number that is infinite or none") }
        value = .double(number)
      } else if (try? container.decode(Date.self)) != nil {
        throw problem("a date, which no setting can be; write it as a string or a number")
      } else if (try? container.decode(Data.self)) != nil {
        throw problem("data, which no setting can be; write it as a string")
      } else {
        throw problem("a value that is neither a string, a number, nor a Boolean value")
      }
    }
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension [any CodingKey] {
  /// The location that the keys lead to, such as `configuration.limits[2]`.
  fileprivate var path: String {
    reduce("") { path, key in
      key.intValue.map { "\(path)[\($0)]" } ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
    }
  }
}
