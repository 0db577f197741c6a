import Foundation

/// What the command line asks for.
struct Arguments {
  static let usage =
    "usage: Shop [customer] [--open link] [--serve] [--report] [--trace file] [--plug-in [name or path]…]"

  var customer = "Ada"
  /// Names and paths of plug-ins; empty for every one there is, nil for none.
  var plugIns: [String]?
  /// Whether the shop stays open until a signal closes it.
  var serves = false
  /// Whether all records are printed, and nothing else is done.
  var reports = false
  /// A link that somebody else had: all that is to be opened.
  var link: URL?
  /// Where to write what took how long.
  var trace: String?

  init(_ arguments: some Sequence<String>) throws(ArgumentError) {
    var given: String?
    var option: String?
    for argument in arguments {
      if option == "--trace" {
        trace = argument
        option = nil
      } else if option == "--open" {
        guard let url = URL(string: argument) else {
          throw ArgumentError(description: "\(argument) is no link\n\(Self.usage)")
        }
        link = url
        option = nil
      } else if argument == "--trace" || argument == "--open" {
        option = argument
      } else if argument == "--serve" {
        serves = true
      } else if argument == "--report" {
        reports = true
      } else if argument == "--plug-in" {
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
    if let option {
      throw ArgumentError(description: "\(option) wants a \(option == "--open" ? "link" : "file")\n\(Self.usage)")
    }
    customer = given ?? customer
  }
}

/// Why what the command line asks for cannot be done, and what can.
struct ArgumentError: Error, CustomStringConvertible {
  let description: String
}
