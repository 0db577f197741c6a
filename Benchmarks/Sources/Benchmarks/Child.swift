import Measuring

/// The tasks that this program performs as its own child process or under a counting tool.
///
/// The arguments are `--child`, the name of the task, and its parameters.
@MainActor enum Child {
  static func run(_ words: [String]) throws {
    switch (words.first, words.dropFirst().count) {
    case ("first-use", 3...): try StartUp.firstUse(words[1], number(words[2]), Array(words[3...]))
    case ("order", 3...):
      FirstOfAll.isLast = true
      try StartUp.firstUse(words[1], number(words[2]), Array(words[3...]))
    case ("large", 1...): try FirstUse.large(words[1], Array(words[2...]))
    case ("read", 1): try FirstUse.read(words[1])
    case ("floor", 1): try Floor.run(words[1])
    case ("load", 2): try Load.run(number(words[1]), words[2])
    case ("calls", 2): try Calls.run(words[1], number(words[2]))
    case ("open", 1...2): try Calls.open(words[1], looks: words.count > 2)
    default: throw Options.Unknown(description: "there is no such child: \(words.joined(separator: " "))")
    }
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw Options.Unknown(description: "\(word) is no number") }
    return number
  }
}
