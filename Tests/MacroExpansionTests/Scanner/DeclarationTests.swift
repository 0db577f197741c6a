import Testing

@testable import MacroExpansion

extension Declaration {
  /// A one-line summary with the modifiers, the keyword, the name, and angle brackets if generic.
  var shape: String {
    (modifiers + [keyword, name + (isGeneric ? "<>" : "")]).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

@Suite struct DeclarationTests {
  @Test(arguments: corpus)
  func `A declaration has its expected shape`(specimen: Specimen) {
    #expect(Declaration(Source(specimen.source, regex: true, isHeader: true)).shape == specimen.shape)
  }

  @Test(arguments: corpus)
  func `White space and comments around a declaration do not matter`(specimen: Specimen) {
    guard specimen.source.contains(" "), !specimen.shape.isEmpty, !specimen.source.contains("`a"),
      !specimen.source.contains("A b")
    else { return }
    let spaced = "\n // class X {\n/* \" */ " + specimen.source + " // }"
    #expect(Declaration(Source(spaced, regex: true, isHeader: true)).shape == specimen.shape)
  }

  @Test(arguments: corpus)
  func `Any part of a declaration can be read`(specimen: Specimen) {
    let bytes = Array(specimen.source.utf8)
    for end in bytes.indices {
      for part in [bytes[..<end], bytes[end...]] {
        let declaration = Declaration(
          Source(String(decoding: part, as: UTF8.self), regex: end % 2 == 0, isHeader: true))
        #expect(declaration.shape.utf8.count <= 3 * bytes.count + 64)
      }
    }
  }

  @Test func `Any byte can be replaced`() {
    var state: UInt64 = 42
    for specimen in corpus {
      for _ in 0..<40 {
        var bytes = Array(specimen.source.utf8)
        for index in bytes.indices {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          if state >> 60 == 0 { bytes[index] = Array("\"#\\(){}/<>`@\n:,".utf8)[Int(state >> 33 % 15)] }
        }
        let source = Source(String(decoding: bytes, as: UTF8.self), regex: true, isHeader: true)
        #expect(Declaration(source).keyword.utf8.count <= source.bytes.count)
      }
    }
  }

  @Test func `A header ends where the body opens`() {
    let source = Source("@A({ 1 }, [{ 2 }]) struct S: P<{ 3 }> { init(\"", isHeader: true)
    #expect(source.tokens.last.map(source.text) == "{")
    #expect(source.tokens.count == 19)
  }

  @Test(arguments: [
    ("@unsafe", true), ("@A(1) @unsafe @B final", true), ("", false), ("@a.unsafe", false), ("@M::unsafe", false),
    ("@unsafe.a", false), ("@`unsafe`", false), ("unsafe", false),
  ])
  func `Only an attribute with the whole name unsafe marks a type as unsafe`(leading: String, isUnsafe: Bool) {
    #expect(Declaration(Source("\(leading) class A {}", isHeader: true)).isUnsafe == isUnsafe)
  }

  @Test(arguments: [
    "@available.x(iOS 17, *)", "@M.available(iOS 17, *)", "@available()", "@available", "@B(iOS 17, *)",
  ])
  func `Other attributes do not affect availability`(attribute: String) {
    let declaration = Declaration(Source("\(attribute) class A {}", isHeader: true))
    #expect(declaration.availability.isEmpty && declaration.shape == "class A")
  }

  @Test func `Availability is kept`() {
    let declaration = Declaration(
      Source(
        "@available(macOS 14,iOS 17.0.1 , *) @available(macOS, introduced: 14) @available(*, deprecated) class A {}"
      ))
    #expect(
      declaration.availability.map(\.text) == [
        "macOS 14, iOS 17.0.1, *", "macOS, introduced: 14", "*, deprecated",
      ])
    #expect(declaration.availability.map(\.introduction) == ["macOS 14, iOS 17.0.1, *", "macOS 14, *", nil])
    #expect(declaration.availability.map(\.isIntroduction) == [true, true, false])
  }
}
