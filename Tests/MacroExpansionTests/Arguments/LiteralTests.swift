import Testing

@testable import MacroExpansion

@Suite struct LiteralTests {
  private func integer(_ text: String) -> Result<Int64, LiteralFailure> {
    let source = Source(text)
    return Result { () throws(LiteralFailure) in try source.integer(source.tokens.indices) }
  }

  private func string(_ text: String) -> Result<String, LiteralFailure> {
    let source = Source(text)
    return Result { () throws(LiteralFailure) in try source.string(source.tokens.indices) }
  }

  @Test(arguments: [
    ("0", 0), ("10", 10), ("-5", -5), ("+5", 5), ("1_000", 1000), ("0x1F", 31), ("-0xff_FF", -65535),
    ("0b101", 5),
    ("0o17", 15), ("007", 7), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ("-0x8000000000000000", Int64.min), ("-0", 0),
  ])
  func `An integer literal has its value`(text: String, value: Int64) {
    #expect(integer(text) == .success(value))
  }

  @Test(arguments: [
    "", "a", "1.5", "1e3", "- 5", "--5", "1 + 2", "(5)", "0x", "0b2", "5a", "\"5\"", "0X1F", "~5",
  ])
  func `Anything but an integer literal is rejected`(text: String) {
    #expect(integer(text) == .failure(.notALiteral))
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "18446744073709551616", "0xFFFFFFFFFFFFFFFF",
    "340282366920938463463374607431768211456",
  ])
  func `An integer that is too large is rejected as such`(text: String) {
    #expect(integer(text) == .failure(.tooLarge))
  }

  @Test(arguments: [
    (#""""#, ""), (#""a b""#, "a b"), (#""é🦊""#, "é🦊"), (#""\"\\\'\n\t\r\0""#, "\"\\'\n\t\r\0"),
    (#""\u{e9}\u{1F98A}""#, "é🦊"),
    (##"#"a "\n" b"#"##, #"a "\n" b"#), (##"#"\#u{41}\#n"#"##, "A\n"), (##"#"""#"##, "\""),
  ])
  func `A string literal has its value`(text: String, value: String) {
    #expect(string(text) == .success(value))
  }

  @Test(arguments: [
    "", "a", "\"a", "\"a\" + \"b\"", "1", #""\q""#, #""\u{}""#, #""\u{110000}""#, #""\u{D800}""#, #""\u41""#,
    "\"\"\"a\"\"\"", "#\"a\"", "\"\"\"\n  a\n  \"\"\"", "#\"\"\"\n  a\n  \"\"\"#", "\"\"\"\n  \"\"\"",
    "(\"a\")", "#\"#", #""\u""#, #""\u{123456789}""#, #""\u{000000041}""#, #""\u{41"#,
  ])
  func `Anything but a string literal is rejected`(text: String) {
    #expect(string(text) == .failure(.notALiteral))
  }

  @Test(arguments: [#""\(a)""#, ##"#"\#(a)"#"##])
  func `An interpolation is rejected as such`(text: String) {
    #expect(string(text) == .failure(.interpolation))
  }
}
