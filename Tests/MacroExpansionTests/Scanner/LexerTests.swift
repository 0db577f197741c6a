import TestSupport
import Testing

@testable import MacroExpansion

@Suite struct LexerTests {
  private func texts(_ text: String, regex: Bool = false) -> [String] {
    let source = Source(text, regex: regex)
    return source.tokens.map(source.text)
  }

  @Test func `Comments are not tokens, and neither are nested comments`() {
    #expect(texts("a /* b /* c */ \" */ d // e {\nf") == ["a", "d", "f"])
    #expect(texts("a +/* b */ c") == ["a", "+", "c"])
    // The byte order mark is not a token. Characters that share some of its bytes are tokens.
    #expect(texts("\u{feff}a \u{fec0} \u{ff3f}") == ["a", "\u{fec0}", "\u{ff3f}"])
    #expect(texts("/* never closed /* a */ b").isEmpty)
  }

  @Test(arguments: [
    #""plain""#, #""an \" escape""#, #""\(a)""#, #""\("\("deep" + f(")"))")""#, ##"#"raw " \( "#"##,
    ##"#"raw \#(a + ")") "#"##, "\"\"\"\n two \" \"\" \\(\"\"\"\n x\n \"\"\") }\n \"\"\"", ##"#"""#"##,
    "##\"\"\"\n a \"\"\"# \\##(b)\n \"\"\"##", #""""#, #""\(a // ) comment"# + "\n)\"", #""\(`a)"b`)""#,
    #""\(a /* " ) */)""#, "\"\\(#\"}\"#)\"", "\"\\(#line)\"",
  ])
  func `A string literal is one token`(literal: String) {
    let source = Source("f(\(literal), {)")
    #expect(source.tokens.map(source.text) == ["f", "(", literal, ",", "{", ")"])
    #expect(source.tokens[2].kind == .string)
  }

  @Test func `A string that does not end, ends with its line`() {
    #expect(texts("a \"b\n} c") == ["a", "\"b", "}", "c"])
    #expect(texts("\"\"\"\n a }") == ["\"\"\"\n a }"])
    #expect(texts("\"\"\"\"\"\" }") == ["\"\"\"\"\"\"", "}"])
    #expect(texts(#""\("#) == [#""\("#])
    #expect(texts(#""\"#) == [#""\"#])
  }

  @Test func `A regex literal is one token where an expression begins`() {
    #expect(texts("let a = /[/\"]x{2}\\//", regex: true) == ["let", "a", "=", "/[/", "\"]x{2}\\//"])
    #expect(texts("let a = /\"{\\//", regex: true).last == "/\"{\\//")
    #expect(texts("a / b / c", regex: true) == ["a", "/", "b", "/", "c"])
    #expect(texts("f(/, x)/2", regex: true) == ["f", "(", "/", ",", "x", ")", "/", "2"])
    #expect(texts("= /a/", regex: false) == ["=", "/", "a", "/"])
    #expect(texts("= #/ \"{ /# + 1") == ["=", "#/ \"{ /#", "+", "1"])
    #expect(texts("#/\n { // \n/#\nx") == ["#/\n { // \n/#", "x"])
    #expect(texts("#/ \t \n { // \n/#\nx") == ["#/ \t \n { // \n/#", "x"])
    #expect(texts("#/ never closed\nx") == ["#/ never closed", "x"])
    #expect(texts("#/ \\/# \" /# + 1") == ["#/ \\/# \" /#", "+", "1"])
    #expect(texts("guard /[{]/ ~= s", regex: true) == ["guard", "/[{]/", "~", "=", "s"])
    #expect(texts("One(x)\n/[{]/", regex: true) == ["One", "(", "x", ")", "/[{]/"])
    #expect(texts("a!/gg(4/2)", regex: true) == ["a", "!", "/", "gg", "(", "4", "/", "2", ")"])
    #expect(texts("a?/b/2 f()!/b/2", regex: true).count == 14)
    #expect(texts("(a!/b/)", regex: true) == ["(", "a", "!", "/", "b", "/", ")"])
    #expect(texts("L.in/(2) + f(a/2)", regex: true).count == 14)
    #expect(texts("x && !/[{]/", regex: true) == ["x", "&", "&", "!", "/[{]/"])
    #expect(texts("!/[{]/", regex: true) == ["!", "/[{]/"])
    // In a character class, a parenthesis is a character. Elsewhere, a text with an unmatched
    // closing parenthesis is not a regex literal.
    for text in ["/(\")/", "/[)\"]/", "/([(]\")/", "/\\)\"/"] {
      #expect(texts("= \(text)", regex: true) == ["=", text])
    }
    // Operators can contain slashes, too.
    #expect(texts("{ x /= 2 }  // a", regex: true) == ["{", "x", "/", "=", "2", "}"])
    #expect(texts("x! /=- 2 / y", regex: true) == ["x", "!", "/", "=", "-", "2", "/", "y"])
    #expect(texts("func /(a: A) { a/2 }", regex: true).count == 12)
    #expect(texts("func ~/(a: A) { a/2 }", regex: true).count == 13)
    #expect(texts("root </> f(a </> b)", regex: true).count == 12)
    #expect(texts("root</>f(a</>b)", regex: true).count == 12)
    #expect(texts("x +/ (1) - [A<Int>/(2)]", regex: true).count == 17)
    #expect(texts("f(a: /[{]/)", regex: true) == ["f", "(", "a", ":", "/[{]/", ")"])
    #expect(texts("\"\\(s.contains(/[\"(]/))\" + 1", regex: true).count == 3)
    #expect(texts("\"\\(a/2 + f(b/3))\" + 1", regex: true).count == 3)
    #expect(texts("try /- [{] (.*)/", regex: true) == ["try", "/- [{] (.*)/"])
    #expect(texts("try? /- [{] (.*)/", regex: true).last == "/- [{] (.*)/")
    #expect(texts("(/= a/, b)", regex: true) == ["(", "/= a/", ",", "b", ")"])
    #expect(texts("f(= /a)/2", regex: true) == ["f", "(", "=", "/", "a", ")", "/", "2"])
    #expect(texts("f(= /[(]a)/2", regex: true) == ["f", "(", "=", "/", "[", "(", "]", "a", ")", "/", "2"])
  }

  @Test func `Names in backticks can contain anything`() {
    let source = Source("`class` `a { b` `")
    #expect(source.tokens.map(source.text) == ["`class`", "`a { b`", "`"])
    #expect(source.tokens.map(\.kind) == [.quoted, .quoted, .mark])
    #expect(source.name(source.tokens[1]) == "a { b")
  }

  @Test func `Directives, numbers, and words are different kinds of tokens`() {
    let source = Source("#if 0x1F_f 1.5 a1 é $0 ..< # ##")
    #expect(
      source.tokens.map(source.text) == ["#if", "0x1F_f", "1.5", "a1", "é", "$0", ".", ".", "<", "#", "##"])
    #expect(source.tokens.prefix(6).map(\.kind) == [.directive, .number, .number, .word, .word, .word])
  }

  @Test func `Ranges cover the text in order`() {
    for text in corpus.map(\.source) {
      let source = Source(text, regex: true)
      var end = 0
      for token in source.tokens {
        #expect(token.range.lowerBound >= end && !token.range.isEmpty)
        end = token.range.upperBound
      }
      #expect(end <= source.bytes.count)
    }
  }

  @Test(
    arguments: [
      "\"\\(", "#\"\"\"\\#(", "#\"\"\"\\#(##\"\"\"\\##(", "/*", "/* */", "`", "``", "= /\\/\\/", "=/(", "#/",
      "@a<",
      "@available(", "[(<{", "#if a ", "init(", "init<", "\"", "#\"", "\\", "struct A<", "extension A.", "a,",
      "###", "#\"#", "->", "&", "(any ", "<",
    ])
  func `Any text can be scanned`(piece: String) {
    for text in [
      String(repeating: piece, count: 100), String(repeating: piece, count: 400) + "\"#",
      "struct S { " + String(repeating: piece, count: 100),
    ] {
      let source = Source(text, regex: true)
      #expect(source.tokens.last.map { $0.range.upperBound <= source.bytes.count } ?? true)
      _ = Declaration(source)
      _ = Declaration(Source(text, regex: true, isHeader: true))
      _ = expansion(request("ExportService", "@A(" + text, on: "struct A {}"))
      _ = expansion(request("Service", "@Service", on: text + " var a: any P", in: ["class A {}"]))
    }
  }
}
