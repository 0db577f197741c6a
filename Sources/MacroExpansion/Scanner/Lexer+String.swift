extension Lexer {
  /// The context of a position inside a string literal.
  private enum Level {
    case string((hashes: Int, isMultiline: Bool))
    /// The parentheses of an interpolation, or parentheses in it.
    case parentheses
  }

  /// Skips a string literal of any kind, including nested literals in its interpolations.
  ///
  /// The function has an explicit stack instead of recursion, because literals can be nested to any
  /// depth. An unterminated literal extends to the end of its line. If it is a multi-line literal,
  /// it extends to the end of the text.
  mutating func skipString() {
    var levels = [Level.string(openString())]
    while let level = levels.last, position < bytes.count {
      switch level {
      case .string((let hashes, let isMultiline)):
        switch byte() {
        case UInt8(ascii: "\\") where hasHashes(hashes, at: position + 1):
          position += 1 + hashes
          if byte() == UInt8(ascii: "(") {
            position += 1
            levels.append(.parentheses)
          } else if isMultiline || !byte().isNewline {
            position += 1
          }
        case UInt8(ascii: "\"") where closes(hashes, isMultiline):
          position += (isMultiline ? 3 : 1) + hashes
          levels.removeLast()
        case let byte where byte.isNewline && !isMultiline:
          levels.removeLast()
        default:
          position += 1
        }
      case .parentheses:
        skipTrivia()
        let hashes = hashCount
        switch byte(hashes) {
        case UInt8(ascii: "\""):
          levels.append(.string(openString()))
        case _ where hashes > 0:
          position += hashes
        case UInt8(ascii: "("):
          position += 1
          levels.append(.parentheses)
        case UInt8(ascii: ")"):
          position += 1
          levels.removeLast()
        case UInt8(ascii: "`"):
          skipQuoted()
        default:
          position += 1
        }
      }
    }
  }

  /// Skips the opening quotation marks.
  mutating func openString() -> (hashes: Int, isMultiline: Bool) {
    let hashes = hashCount
    position += hashes
    let isMultiline =
      byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"") && !endsOnItsLine(hashes)
    position += isMultiline ? 3 : 1
    return (hashes, isMultiline)
  }

  /// Returns a Boolean value that indicates whether a raw literal ends on its line.
  ///
  /// `#"""#` looks like the start of a multi-line literal but is a literal with a quotation mark.
  private mutating func endsOnItsLine(_ hashes: Int) -> Bool {
    guard hashes > 0 else { return false }
    if let known = rawEnds[hashes], position < known.until { return known.isThere }
    var index = position + 1
    var isThere = false
    while index < bytes.count, !bytes[index].isNewline {
      isThere = bytes[index] == UInt8(ascii: "\"") && hasHashes(hashes, at: index + 1)
      if isThere { break }
      index += 1
    }
    rawEnds[hashes] = (index, isThere)
    return isThere
  }

  /// Returns a Boolean value that indicates whether the current quotation mark closes the literal.
  private func closes(_ hashes: Int, _ isMultiline: Bool) -> Bool {
    guard isMultiline else { return hasHashes(hashes, at: position + 1) }
    return byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
      && hasHashes(hashes, at: position + 3)
  }
}
