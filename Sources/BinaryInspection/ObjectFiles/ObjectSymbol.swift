/// A symbol of an object file.
struct ObjectSymbol: Equatable {
  var name: String
  /// Zero if it is not defined here.
  var address: UInt64
  /// Whether it stands in this file, and not in another image.
  var isDefined: Bool
}
