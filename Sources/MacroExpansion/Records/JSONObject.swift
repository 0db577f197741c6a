/// A compact JSON object that preserves the order of its keys.
struct JSONObject {
  private var members: [String] = []

  /// The text of the object.
  var text: String { "{" + members.joined(separator: ",") + "}" }

  mutating func set(_ key: String, _ value: String) {
    members.append("\(Self.quoted(key)):\(Self.quoted(value))")
  }

  mutating func set(_ key: String, _ value: Int64) {
    members.append("\(Self.quoted(key)):\(value)")
  }

  mutating func set(_ key: String, _ value: Bool) {
    members.append("\(Self.quoted(key)):\(value)")
  }

  mutating func set(_ key: String, _ values: [String]) {
    members.append("\(Self.quoted(key)):[\(values.map(Self.quoted).joined(separator: ","))]")
  }

  /// Returns a string in quotation marks, with the escapes that JSON requires.
  static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
