/// What the command line asks for.
struct Arguments {
  static let usage = "usage: Shop [customer] [--plug-in [name or path]…]"

  var customer = "Ada"
  /// Names and paths of plug-ins; empty for every one there is, nil for none.
  var plugIns: [String]?

  init(_ arguments: some Sequence<String>) throws(ArgumentError) {
    var given: String?
    for argument in arguments {
      if argument == "--plug-in" {
        plugIns = plugIns ?? []
      } else if argument.hasPrefix("-") {
        throw ArgumentError(description: "unknown option \(argument)\n\(Self.usage)")
      } else if plugIns != nil {
        plugIns?.append(argument)
      } else if given == nil {
        given = argument
      } else {
        throw ArgumentError(description: "one customer at a time: \(argument)\n\(Self.usage)")
      }
    }
    customer = given ?? customer
  }
}

/// Why what the command line asks for cannot be done, and what can.
struct ArgumentError: Error, CustomStringConvertible {
  let description: String
}
