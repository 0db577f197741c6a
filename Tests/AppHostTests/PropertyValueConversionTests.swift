import AppHost
import Foundation
import Registry
import Testing

@Suite struct PropertyValueConversionTests {
  private let date = Date(timeIntervalSince1970: 7)

  @Test func `a Boolean number stays a Boolean value, and the numbers one and zero stay numbers`() {
    for (number, value) in [
      (NSNumber(value: true), PropertyValue.bool(true)), (NSNumber(value: false), .bool(false)),
      (NSNumber(value: 1), .integer(1)), (NSNumber(value: 0), .integer(0)), (NSNumber(value: Int8(1)), .integer(1)),
      (NSNumber(value: UInt8(0)), .integer(0)), (NSNumber(value: 1.0), .double(1)),
      (NSNumber(value: Float(0)), .double(0)),
    ] {
      #expect(PropertyValue(number) == value)
    }
    #expect(PropertyValue(true) == true && PropertyValue(1) == 1 && PropertyValue(1.0) == .double(1))
    #expect(PropertyValue(UInt8(1)) == 1 && PropertyValue(Float(0.5)) == 0.5)
  }

  @Test func `numbers keep their values up to their limits`() {
    #expect(PropertyValue(NSNumber(value: Int.min)) == .integer(.min))
    #expect(PropertyValue(NSNumber(value: UInt64(Int64.max))) == .integer(.max))
    #expect(PropertyValue(NSNumber(value: UInt64.max)) == .double(Double(UInt64.max)))
    #expect(PropertyValue(NSDecimalNumber(string: "1.25")) == 1.25)
    #expect(PropertyValue(Double.infinity) == .double(.infinity))
  }

  @Test func `Foundation objects and Swift values convert to the same property values`() {
    let pairs: [(Any, Any, PropertyValue)] = [
      (NSString("x"), "x", "x"), (NSDate(timeIntervalSince1970: 7), date, .date(date)),
      (NSData(data: Data([1])), Data([1]), .data(Data([1]))), (NSNull(), NSNull(), .null),
      (NSArray(array: [1, "a"]), [1, "a"] as [Any], [1, "a"]),
      (NSDictionary(dictionary: ["a": 1]), ["a": 1], ["a": 1]),
      (NSURL(string: "shop://cart")!, URL(string: "shop://cart")!, "shop://cart"),
      (NSMutableString(string: "y"), Optional("y") as Any, "y"),
    ]
    for (object, value, expected) in pairs {
      #expect(PropertyValue(object) == expected && PropertyValue(value) == expected)
    }
    let uuid = UUID()
    #expect(PropertyValue(uuid) == .string(uuid.uuidString))
  }

  @Test func `values from JSON and property lists are converted`() throws {
    let json = try JSONSerialization.jsonObject(
      with: Data(#"{"aps":{"alert":"Hi","badge":1,"mutable":true,"ratio":0.5},"list":[false,null,2.0]}"#.utf8))
    #expect(
      PropertyValue(json)
        == ["aps": ["alert": "Hi", "badge": 1, "mutable": true, "ratio": 0.5], "list": [false, nil, .double(2)]])
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["yes": true, "one": 1, "when": date, "bytes": Data([7])], format: .xml, options: 0)
    #expect(
      PropertyValue(try PropertyListSerialization.propertyList(from: list, format: nil))
        == ["yes": true, "one": 1, "when": .date(date), "bytes": .data(Data([7]))])
  }

  @Test func `a value is unchanged after a conversion to Foundation and back`() throws {
    let value: PropertyValue = [
      "yes": true, "one": 1, "half": 0.5, "whole": .double(2), "text": "Hällo", "nothing": nil, "when": .date(date),
      "bytes": .data(Data([1, 2])), "list": [1, [false, "x"], [:]], "more": ["deep": ["deeper": 3]],
    ]
    #expect(PropertyValue(value.object) == value)
    let members = try #require(value.dictionary)
    #expect([String: PropertyValue](userInfo: members.objects) == members)
    #expect(
      [String: PropertyValue](userInfo: NSDictionary(dictionary: members.objects) as! [AnyHashable: Any]) == members)
    // These are the types that other code reads the values as.
    #expect(PropertyValue.bool(true).object is Bool && PropertyValue.integer(1).object is Int)
    #expect(PropertyValue.null.object is NSNull)
    let json: PropertyValue = ["a": [true, 1, 0.5, "x", nil]]
    let bytes = try JSONSerialization.data(withJSONObject: json.object)
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":[true,1,0.5,"x",null]}"#)
  }

  @Test func `a value that cannot be converted is omitted and reported with its path`() {
    struct Image {}
    let userInfo: [AnyHashable: Any] = [
      "aps": ["alert": "Hi", "image": Image(), "list": [1, Image(), 3] as [Any]] as [String: Any], 7: "seven",
      "none": Optional<Int>.none as Any, "set": Set([1]),
    ]
    let (value, leftOut) = PropertyValue.converting(userInfo)
    #expect([String: PropertyValue](userInfo: userInfo) == value?.dictionary)
    #expect(value == ["aps": ["alert": "Hi", "list": [1, 3]]])
    #expect(leftOut.map(\.path) == ["7", "aps.image", "aps.list[1]", "none", "set"])
    #expect(leftOut[0].description == "7: the key is not a string but a value of type 'Int'")
    #expect(leftOut[1].description == "aps.image: a property list cannot contain a value of type 'Image'")
    #expect(PropertyValue(Image()) == nil)
    #expect(PropertyValue.converting(Image()).leftOut.map(\.path) == [""])
    #expect(PropertyValue(["a": Image()] as [String: Any]) == [:])
  }

  @Test func `a key with line breaks is reported on one line`() {
    let (_, leftOut) = PropertyValue.converting(["a\nb": NSObject()])
    #expect(leftOut.count == 1 && !"\(leftOut[0])".contains("\n"))
  }

  @Test func `converting a value that contains one array very often ends`() {
    var object: Any = "inside"
    for _ in 0..<40 { object = [object, object] }
    let (value, leftOut) = PropertyValue.converting(object)
    #expect(value != nil)
    #expect(leftOut.map(\.reason) == ["there are more than 100000 values; the others are ignored"])
    #expect(PropertyValue.converting(Array(repeating: 1, count: 99_999)).leftOut.isEmpty)
  }

  @Test func `long arrays beyond the depth limit count toward the limit of values`() {
    var object: Any = Array(repeating: Array(repeating: 1, count: 60_000), count: 1_000)
    for _ in 0..<63 { object = [object] }
    let leftOut = PropertyValue.converting(object).leftOut
    let deep = leftOut.filter { $0.reason == "the value is nested deeper than 64" }
    #expect(deep.count == 2 && leftOut.count == 3)
    #expect(leftOut.contains { $0.reason.hasPrefix("there are more than 100000 values") })
  }

  @Test func `an object as a key is reported by its type, without its description`() {
    struct Endless: Hashable, CustomStringConvertible {
      var description: String {
        Issue.record("asked")
        return ""
      }
    }
    let (_, leftOut) = PropertyValue.converting([Endless(): 1, 2.5: 1] as [AnyHashable: Any])
    #expect(leftOut.map(\.path) == ["(Endless)", "2.5"])
  }

  @Test func `at most a limited number of unconverted values is listed, with the number of the others`() {
    let leftOut = PropertyValue.converting(Array(repeating: NSObject(), count: 250)).leftOut
    #expect(leftOut.count == 101 && leftOut.last?.description == "150 more values that cannot be converted")
  }

  @Test func `64 nested levels are converted, and deeper values are omitted`() {
    var object: Any = "inside"
    for _ in 0..<64 { object = [object] }
    #expect(PropertyValue.converting(object).leftOut.isEmpty)
    let (value, leftOut) = PropertyValue.converting([object])
    #expect(value != nil && leftOut.count == 1)
    #expect(leftOut.first?.path == String(repeating: "[0]", count: 64))
  }
}
