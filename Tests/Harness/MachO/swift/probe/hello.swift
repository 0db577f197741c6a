/// The parts of the language that depend most on the runtime: generics, existentials, dynamic
/// casts, key paths, dictionaries, and names of types.
protocol Shape { var area: Double { get } }
struct Square: Shape {
  let side: Double
  var area: Double { side * side }
}
final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

@_cdecl("hello") public func hello() -> Int32 {
  let shapes: [any Shape] = [Square(side: 2), Square(side: 3)]
  let things: [String: Any] = ["number": 1, "text": "größer", "type": Square.self]
  print(shapes.map(\.area).reduce(0, +), type(of: shapes), Box<[Int?]>([1, nil]).value)
  print(things["type"] as? any Shape.Type as Any, things["number"] as? Int ?? -1, things["text"] as? Int as Any)
  print(_typeByName("5hello6SquareV") as Any, String(reflecting: Box<Square>.self))
  return 0
}
