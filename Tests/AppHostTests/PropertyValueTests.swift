import AppHost
import Foundation
import Registry
import Testing

@Suite struct PropertyValueTests {
  private let value: PropertyValue = [
    "text": "Hello", "yes": true, "count": 3, "ratio": 0.5, "whole": 2.0, "nothing": nil, "list": [1, "two"],
  ]

  @Test func `a property value is read as its own type`() {
    #expect(value["text"]?.string == "Hello" && value["yes"]?.bool == true)
    #expect(value["count"]?.integer == 3 && value["count"]?.double == 3)
    #expect(value["ratio"]?.double == 0.5 && value["nothing"] == .some(.null))
    #expect(value["list"]?.array == [1, "two"] && value["list"]?[1] == "two")
    #expect(value.dictionary?.count == 7)
    let date = Date(timeIntervalSince1970: 7)
    #expect(PropertyValue.date(date).date == date && PropertyValue.data(Data([1])).data == Data([1]))
  }

  @Test func `a property value is not read as another type`() {
    #expect(value["count"]?.bool == nil && value["yes"]?.integer == nil && value["yes"]?.double == nil)
    #expect(value["ratio"]?.integer == nil && value["whole"]?.integer == 2)
    #expect(PropertyValue.double(.infinity).integer == nil && PropertyValue.double(1e300).integer == nil)
    #expect(value["list"]?[2] == nil && value["list"]?[-1] == nil && value["list"]?["text"] == nil)
    #expect(value[0] == nil && value["absent"] == nil && value.string == nil && value.array == nil)
    #expect(value["text"]?.date == nil && value["text"]?.data == nil && value["text"]?.dictionary == nil)
  }

  @Test func `the objects of a property list keep dates and data, which coders turn into numbers`() throws {
    let value: [String: PropertyValue] = ["date": .date(secondsSinceReferenceDate: 5), "data": .bytes([1, 2])]
    let list = try PropertyListSerialization.data(fromPropertyList: value.objects, format: .binary, options: 0)
    let object = try PropertyListSerialization.propertyList(from: list, format: nil)
    #expect(PropertyValue(object) == .dictionary(value))
    let encoded = try PropertyListEncoder().encode(value)
    let decoded = try PropertyListDecoder().decode([String: PropertyValue].self, from: encoded)
    #expect(decoded["date"]?.double == 5 && decoded["data"] == [1, 2])
    #expect(throws: DecodingError.self) { try PropertyListDecoder().decode([String: PropertyValue].self, from: list) }
  }

  @Test func `integers have 64 bits on every system`() throws {
    let large: PropertyValue = 0x7fff_ffff_ffff_ffff
    #expect(large == .integer(Int64.max) && large.description == "9223372036854775807")
    #expect(PropertyValue(large.object) == large)
    #expect(large.integer == Int(exactly: Int64.max))
    let decoded = try JSONDecoder().decode([PropertyValue].self, from: Data("[3000000000, -3000000000]".utf8))
    #expect(decoded == [3_000_000_000, -3_000_000_000])
  }

  @Test func `the last value of a duplicate key is used`() {
    #expect(PropertyValue.dictionary(["a": 2]) == ["a": 1, "a": 2])
  }
}
