import Measuring

struct Options {
  static let usage = """
    usage: Benchmarks [--quick] [--json | --markdown] [--list] [NAME-PREFIX…]

      --quick      only see that everything runs; leave out what takes half a minute to compile
      --json       one JSON object a line: name, ours, baseline, unit, ratio, goal, goalOf, met, spread,
                   note
      --markdown   the table of Benchmarks/README.md
      --list       print the names of what would be measured
      NAME-PREFIX  measure what is called so: service.shared, event, startup.1000

    The status is zero unless a benchmark does not run or its checksum is wrong. A goal that is missed is only printed.
    """

  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  var isQuick = false
  var format = Table.Format.text
  var isList = false
  var wantsHelp = false
  private var prefixes: [String] = []

  init(_ arguments: [String]) throws {
    for argument in arguments {
      switch argument {
      case "--quick": isQuick = true
      case "--json": format = .json
      case "--markdown": format = .markdown
      case "--list": isList = true
      case "--help", "-h": wantsHelp = true
      case _ where argument.hasPrefix("-"):
        throw Unknown(description: "there is no option \(argument)\n\n\(Self.usage)")
      default: prefixes.append(argument)
      }
    }
  }

  /// Returns the benchmarks that the options select.
  func choose(_ benchmarks: [Benchmark]) throws -> [Benchmark] {
    for prefix in prefixes where !benchmarks.contains(where: { $0.name.hasPrefix(prefix) }) {
      let names = benchmarks.map(\.name).joined(separator: ", ")
      throw Unknown(description: "no benchmark's name begins with \(prefix): there are \(names)")
    }
    return benchmarks.filter { benchmark in
      prefixes.isEmpty || prefixes.contains { benchmark.name.hasPrefix($0) }
    }
  }
}
