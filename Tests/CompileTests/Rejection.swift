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
    /// The position of the name in the declaration of a type, such as `struct A`.
    case name(String)
    /// A position in the line of such a name or after it.
    case after(String)
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

  /// Returns the start of the error, or nil if the snippet does not contain the place.
  var location: String? {
    switch place {
    case .at(let text): location(of: text)
    case .name(let declaration): location(of: declaration, offset: keywordLength(declaration))
    case .after(let declaration): location(of: declaration)?.split(separator: ":").prefix(2).joined(separator: ":")
    }
  }

  private func keywordLength(_ declaration: String) -> Int { declaration.prefix { $0 != " " }.utf8.count + 1 }

  /// Returns the source location of a text in the format of the compiler.
  func location(of text: String, offset: Int = 0) -> String? {
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated().dropFirst(7) {
      var column = 1
      var rest = line[...]
      while !rest.isEmpty {
        if rest.hasPrefix(text) { return "snippet.swift:\(number + 1):\(column + offset)" }
        column += rest.removeFirst().utf8.count
      }
    }
    return nil
  }
}
