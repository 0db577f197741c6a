import Foundation
import Testing

@testable import MacroExpansion

@Suite struct RecordTests {
  /// Returns a record whose JSON, a member and two braces, has a number of bytes.
  private func record(_ count: Int) -> Record {
    var object = JSONObject()
    object.set("x", String(repeating: "x", count: count - 8))
    return Record(kind: .service, accessor: [], json: object, isStatic: false, name: "r")
  }

  /// Returns the bytes of words in the memory of a little-endian machine.
  private func bytes(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }

  @Test(arguments: 8..<28)
  func `The text ends with a NUL and fills whole words`(length: Int) {
    let record = record(length)
    let bytes = bytes(record.words)
    #expect(bytes.prefix(length).elementsEqual(record.json.text.utf8))
    #expect(bytes.count == (length / 8 + 1) * 8)
    #expect(bytes.dropFirst(length).allSatisfy { $0 == 0 })
  }

  @Test func `The payload counts the accessor's slot`() {
    #expect(record(15).text.contains("(\n  9, 24, 0x73657276, 0x69676552, 0x79727473, 0, "))
    #expect(record(16).text.contains("(\n  9, 32, "))
  }

  @Test func `The name in the header spells Registry`() {
    #expect(bytes([0x7972_7473_6967_6552]).elementsEqual("Registry".utf8))
  }

  @Test func `Strings are escaped as JSON requires`() throws {
    let text = "\"\\/é🦊\u{1}\n\u{7f}"
    #expect(JSONObject.quoted(text) == "\"\\\"\\\\/é🦊\\u0001\\u000a\u{7f}\"")
    #expect(
      try JSONDecoder().decode([String].self, from: Data("[\(JSONObject.quoted(text))]".utf8)) == [text])
  }

  @Test func `Members keep their order`() {
    var object = JSONObject()
    #expect(object.text == "{}")
    object.set("z", "1")
    object.set("a", Int64.min)
    object.set("m", ["x", "\""])
    #expect(object.text == #"{"z":"1","a":-9223372036854775808,"m":["x","\""]}"#)
  }
}
