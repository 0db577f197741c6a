/// A symbol of an object file, without those for debuggers.
struct ObjectSymbol: Equatable {
  var name: String
  /// Zero if it is not defined here.
  var address: UInt64
  /// Whether it is in this file, and not only asked for.
  var isDefined: Bool
}
