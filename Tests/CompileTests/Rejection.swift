import Testing

/// A snippet that must not compile, and its error message.
///
/// The message is complete and verbatim, as this toolchain prints it after the position. If the
/// plugin reports the error, the message ends with the name of the macro. The compiler prints a
/// space after the name of an attribute without arguments.
struct Rejection: Sendable, CustomTestStringConvertible {
  enum Place: Sendable {
    /// The position of the first occurrence of a text in the snippet.
    case at(String)
    /// The expansion, in which the type checker reports its error, with a note at the attribute.
    case inExpansion(note: String)
  }

  var source: String
  var message: String
  var place: Place = .at("@Export")

  var testDescription: String { source }

  /// The source file of the snippet.
  ///
  /// The file starts with the declarations that all snippets use. The snippet starts at line 8.
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

  /// Returns the source location of a text in the format of the compiler.
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
