import Testing

@testable import MacroExpansion

@Suite struct LexicalContextTests {
  private func context(
    _ sources: String..., kind: String = "declaration", discriminator: String = "$s4Cart1A13ExportServicefMp_"
  ) -> LexicalContext {
    LexicalContext(
      sources.map { MacroRequest.Syntax(kind: kind, source: $0, location: nil) },
      discriminator: discriminator, module: "Cart")
  }

  @Test func `A file is not a type`() {
    #expect(context().path.isEmpty)
    #expect(!context().isInType)
    #expect(context().obstacle == nil)
  }

  @Test func `Types and extensions make the path, outermost first`() {
    #expect(
      context("\nactor C {}", "struct `B b` {}", "extension Outer.A {}").path == ["Outer", "A", "B b", "C"])
    #expect(context("enum A {}").isInType)
  }

  @Test func `The path does not contain the module's own name before an extended type`() {
    #expect(context("extension Cart.A {}").path == ["A"])
    #expect(context("extension Cart {}").path == ["Cart"])
    #expect(context("extension Cart::A {}").path == ["A"])
    #expect(context("extension Cart::Cart.A {}").path == ["Cart", "A"])
    #expect(context("extension Swift.Int {}").path == ["Swift", "Int"])
  }

  @Test(arguments: [
    "func f() ", "\n get ", "init(x: Int) ", "subscript(x: Int) -> Int ", "deinit ", "var x: Int ",
  ])
  func `Functions and accessors are local`(source: String) {
    #expect(context(source, "struct S {}").obstacle == .local)
  }

  @Test func `Closures are local`() {
    #expect(context("{ () -> Int in\n}", kind: "expression").obstacle == .local)
  }

  @Test func `A discriminator alone can show that a context is local`() {
    #expect(context(discriminator: "$s4main5L_$l013ExportServicefMp_").obstacle == .local)
    #expect(
      context("struct S {}", discriminator: "$s4main0011n_$l0_BpaIk13ExportServicefMp_").obstacle == .local)
  }

  @Test func `Generic types and constrained extensions are generic`() {
    #expect(context("struct A {}", "struct G<T> {}").obstacle == .generic("G"))
    #expect(context("extension A.B where T: P {}").obstacle == .generic("A.B"))
    #expect(context("extension [Int] {}").obstacle == .generic(""))
  }

  @Test(arguments: [
    "Array", "ArraySlice", "ContiguousArray", "Dictionary", "Optional", "Set", "Swift.Array", "Swift.Set",
  ])
  func `An extension of a generic type of the standard library is generic`(type: String) {
    #expect(context("extension \(type): P {}").obstacle == .generic(type))
    #expect(context("extension Swift::Set {}").obstacle == .generic("Set"))
    #expect(context("extension Cart.\(type) {}").obstacle == nil)
    #expect(context("extension Outer.Inner.\(type) {}").obstacle == nil)
  }

  @Test func `A protocol is an obstacle of its own kind`() {
    #expect(context("protocol P<X> {}").obstacle == .inProtocol("P"))
  }

  @Test func `A macro around a type is not part of its context`() {
    #expect(context("#stringify(1)", "struct A {}").path == ["A"])
  }

  @Test func `Availability around a type is recognized`() {
    #expect(context("@available(macOS 14, *) struct A {}").hasAvailability)
    #expect(!context("@available(*, deprecated) struct A {}").hasAvailability)
  }
}
