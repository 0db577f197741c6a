/// The text after the name of a freestanding macro, which the expansion repeats.
struct CallText: Equatable {
  /// The parentheses and the text after them, including the handler.
  private var text = ""
  private var location: UserLocation

  /// Reads the text from the parenthesis before the arguments on.
  ///
  /// - Parameter location: The location of the source.
  init(_ source: Source, at location: HostMessage.Location?) {
    let whole = source.argumentsIndex.flatMap { source.span($0..<source.tokens.count) }
    if let whole { text = String(decoding: source.bytes[whole], as: UTF8.self) }
    self.location = UserLocation(of: whole?.lowerBound ?? 0, in: source, at: location)
  }

  /// Returns a statement that calls a method with the text, in which the compiler reports errors
  /// exactly where the user wrote it.
  func statement(calling method: String, of receiver: String) -> String {
    location.placing(".\(method)\(text)", offset: method.utf8.count + 1, after: receiver)
  }
}

extension Source {
  /// Returns the number of lines that end in a range of bytes, as the compiler counts them.
  ///
  /// The source must contain a byte after the range, such as that of a token.
  func lineBreaks(in range: Range<Int>) -> Int {
    range.count { bytes[$0] == 10 || bytes[$0] == 13 && bytes[$0 + 1] != 10 }
  }
}
