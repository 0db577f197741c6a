import Testing

/// A snippet that must not compile, and the words in which that is said.
struct Rejection: Sendable, CustomTestStringConvertible {
  enum Place: Sendable {
    /// The plugin's error stands where this text first is in the snippet.
    case at(String)
    /// The type checker's error stands in the expansion, and a note at the attribute.
    case inExpansion
  }

  var source: String
  var message: String
  var place: Place = .at("@Export")

  var testDescription: String { source }

  /// The snippet as a file: the declarations all of them use, then the snippet's text from line 8 on.
  var file: String {
    """
    import Lifecycle
    import Registry
    protocol P {}
    protocol S: Sendable {}
    class Base { init(x: Int) {} }
    let text = "text"
    // The snippet:
    \(source)
    """
  }

  /// Where the error must stand, as the compiler writes it.
  func location(of text: String) -> String? {
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated().dropFirst(7) {
      var column = 1
      var rest = line[...]
      while !rest.isEmpty {
        if rest.hasPrefix(text) { return "snippet.swift:\(number + 1):\(column)" }
        column += rest.removeFirst().utf8.count
      }
    }
    return nil
  }
}
