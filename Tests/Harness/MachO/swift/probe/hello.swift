/// The parts of the language that depend most on the runtime: generics, existentials, dynamic
/// casts, key paths, dictionaries, names of types, and layouts of optional values.
protocol Shape { var area: Double { get } }
struct Square: Shape {
  let side: Double
  var area: Double { side * side }
}
final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

// Most types have as many spare bit patterns for nil as there are invalid addresses, or only a few.
// These have a number in between, so their layouts show which addresses count as invalid.
enum Either { case one(Box<Int>, Box<Int>), two(Box<Int>, Box<Int>) }
enum Texts { case one(String, Box<Int>), two(Box<Int>, String), three(String) }

/// Returns whether the runtime, which lays out generic types, and the compiler, which calls this
/// function with the concrete size, agree about a type.
@inline(never) func agree<T>(_ value: T, size: Int, isNil: (T?) -> Bool) -> Bool {
  MemoryLayout<T?>.size == size && isNil(nil) && !isNil(.some(value))
}

@_cdecl("hello") public func hello() -> Int32 {
  let shapes: [any Shape] = [Square(side: 2), Square(side: 3)]
  let things: [String: Any] = ["number": 1, "text": "größer", "type": Square.self]
  print(shapes.map(\.area).reduce(0, +), type(of: shapes), Box<[Int?]>([1, nil]).value)
  print(things["type"] as? any Shape.Type as Any, things["number"] as? Int ?? -1, things["text"] as? Int as Any)
  print(_typeByName("5hello6SquareV") as Any, String(reflecting: Box<Square>.self))
  let box = Box(1)
  typealias Pair = (Box<Int>, Either)
  print(
    agree((1, box), size: MemoryLayout<(Int, Box<Int>)?>.size) { $0 == nil },
    agree((box, .two(box, box)) as Pair, size: MemoryLayout<Pair?>.size) { $0 == nil },
    agree(Texts.three("") as Texts?, size: MemoryLayout<Texts??>.size) { $0 == nil },
    agree(Either.two(box, box) as Either??, size: MemoryLayout<Either???>.size) { $0 == nil })
  return 0
}
