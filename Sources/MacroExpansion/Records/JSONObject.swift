/// A JSON object with ordered members. It omits default values (nil, zero, false, and an empty
/// list).
struct JSONObject {
  private var members: [String] = []
  private(set) var isGrouped = false

  var text: String { "{" + members.joined(separator: ",") + "}" }

  mutating func set(_ key: String, _ value: String?) {
    if let value { append(key, Self.quoted(value)) }
  }

  mutating func set(_ key: String, _ value: Int64) {
    if value != 0 { append(key, "\(value)") }
  }

  mutating func set(_ key: String, _ value: Bool) {
    if value { append(key, "true") }
  }

  mutating func set(_ key: String, _ values: [String]) {
    if !values.isEmpty { append(key, "[\(values.map(Self.quoted).joined(separator: ","))]") }
  }

  mutating func setGroup(_ name: String?) {
    set("group", name)
    isGrouped = name != nil
  }

  private mutating func append(_ key: String, _ value: String) { members.append("\(Self.quoted(key)):\(value)") }

  static func quoted(_ string: String) -> String {
    var result = [UInt8(ascii: "\"")]
    for byte in Array(string.utf8) {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case ..<0x20: result += Array("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
      default: result.append(byte)
      }
    }
    return String(decoding: result + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}
