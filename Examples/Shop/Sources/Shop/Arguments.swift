import Foundation

struct Arguments {
  static let usage =
    "usage: Shop [customer] [--open link] [--serve] [--report] [--trace file] [--plug-in [name or path]…]"

  var customer = "Ada"
  /// The names and paths of plug-ins to open, or nil for none. An empty array means all plug-ins.
  var plugIns: [String]?
  /// A Boolean value that indicates whether the shop stays open until it receives a signal.
  var serves = false
  /// A Boolean value that indicates whether the shop prints all records and does nothing else.
  var reports = false
  /// The link to open instead of everything else, or nil.
  var link: URL?
  /// The path of the trace to write, or nil.
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
          throw ArgumentError(description: "'\(argument)' is not a URL\n\(Self.usage)")
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
        throw ArgumentError(description: "unknown option '\(argument)'\n\(Self.usage)")
      } else if plugIns != nil {
        plugIns?.append(argument)
      } else if given == nil {
        given = argument
      } else {
        throw ArgumentError(description: "unexpected argument '\(argument)'; pass one customer\n\(Self.usage)")
      }
    }
    if let option {
      throw ArgumentError(
        description: "'\(option)' requires a \(option == "--open" ? "link" : "file")\n\(Self.usage)")
    }
    customer = given ?? customer
  }
}

struct ArgumentError: Error, CustomStringConvertible {
  let description: String
}
