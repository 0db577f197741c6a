// These declarations are hard to scan. Each has the shape that the scanner should find.

import Testing

/// A declaration and its shape.
///
/// The shape has the form of ``Declaration/shape``.
struct Specimen: Sendable, CustomTestStringConvertible {
  var source: String
  var shape: String

  var testDescription: String { shape }
}

let corpus: [Specimen] = [
  Specimen(source: "class A {}", shape: "class A"),
  Specimen(source: "\n\n/// init() {\n/* class */ final class A {}", shape: "final class A"),
  Specimen(source: "@A @B.C(x: \")\") @D<(Int) -> E>(1) public struct S: P { }", shape: "public struct S"),
  Specimen(source: "@available(macOS 14, *) @MainActor final class A {}", shape: "final class A"),
  Specimen(
    source:
      "#if canImport(ObjectiveC)\n@objc(Foo)\n#elseif X && (Y || Z)\n@B\n#else\n#endif\nfinal class A {}",
    shape: "final class A"),
  Specimen(source: "@A::B.C(1) @D::E final class A {}", shape: "final class A"),
  Specimen(source: "@objc\n#if A // {\n@B #endif\n#endif\nclass C {}", shape: "class C"),
  Specimen(source: "nonisolated(unsafe) private(set) var x = 1", shape: "nonisolated private var x"),
  Specimen(source: "class func make() {}", shape: "class func make"),
  Specimen(source: "class var x: Int { 1 }", shape: "class var x"),
  Specimen(source: "class override func f() {}", shape: "class override func f"),
  Specimen(source: "class final {}", shape: "class final"),
  Specimen(source: "class open: P {}", shape: "class open"),
  Specimen(source: "class weak<T> {}", shape: "class weak<>"),
  Specimen(source: "class lazy where T: P {}", shape: "class lazy"),
  Specimen(source: "class static func f() {}", shape: "class static func f"),
  Specimen(source: "distributed actor D { init() {} }", shape: "distributed actor D"),
  Specimen(
    source: "indirect enum E { case a(E); init() { self = .a(.init()) } }", shape: "indirect enum E"),
  Specimen(source: "struct `class` { init() {} }", shape: "struct class"),
  Specimen(source: "struct `a { b` { init() {} }", shape: "struct a { b"),
  Specimen(source: "struct Ünï·🦊 { init() {} }", shape: "struct Ünï·🦊"),
  Specimen(
    source: "struct G<T: P, each U, let N: Int>: Q where T.X == (Int) -> Int { init() {} }",
    shape: "struct G<>"),
  Specimen(source: "struct S: P<[Int]>, Q<(A) -> B> { init(a: Int) {} }", shape: "struct S"),
  Specimen(source: "struct S: ~Copyable { init() {} deinit {} }", shape: "struct S"),
  Specimen(source: "struct S: @unchecked Sendable, @retroactive P { init() }", shape: "struct S"),
  Specimen(
    source: "class C { init() {} ; convenience init(x: Int) { self.init() } }",
    shape: "class C"),
  Specimen(
    source: "class C { required public init() throws(E) {} }", shape: "class C"),
  Specimen(source: "class C { @A(1) @objc override init() {} }", shape: "class C"),
  Specimen(source: "class C { init?() { nil } ; init!() {} }", shape: "class C"),
  Specimen(source: "class C { init() async throws {} }", shape: "class C"),
  Specimen(
    source: "class C { init<T>(_ t: T) where T: P {} ; init<T>() {} }", shape: "class C"),
  Specimen(source: "class C { init( /* none */ ) {} }", shape: "class C"),
  Specimen(source: "class C { init(\n) {} }", shape: "class C"),
  Specimen(source: "class C { init(x: Int = f({ (1) }), y: [Int] = []) {} }", shape: "class C"),
  Specimen(
    source: "struct S { let a = A.init(x: 1), b: B = .init() ; let c = Foo\n.init(1) }", shape: "struct S"),
  Specimen(source: "struct S { func f(init x: Int) { S.init() } ; var v: S { .init() } }", shape: "struct S"),
  Specimen(source: "enum E { case `init`(Int), b ; indirect case c }", shape: "enum E"),
  Specimen(source: "struct S { struct T { init() {} } ; class U { init(x: Int) {} } }", shape: "struct S"),
  Specimen(
    source: "struct S {\n#if A\ninit(x: Int) {}\n#else\ninit() {}\n#endif\n}",
    shape: "struct S"),
  Specimen(
    source: "struct S { let s = \"} init() {\" ; let t = \"\"\"\n } \" \\(\"}\")\n \"\"\"; init() {} }",
    shape: "struct S"),
  Specimen(source: "struct S { let r = #/ } \" init() /#; init() {} }", shape: "struct S"),
  Specimen(source: "struct S { let r = /}\"/; init() {} }", shape: "struct S"),
  Specimen(source: "struct S: P { let x = a!/gg(4/2); init() {} }", shape: "struct S"),
  Specimen(source: "@A({ [1] }) @B([{ () }]) struct S { { } } class C {}", shape: "struct S"),
  Specimen(source: "struct S { let r = a / b; let q = \"/\"; init() {} }", shape: "struct S"),
  Specimen(
    source: "struct S { #macro { init() {} } ; #if X // }\ninit() {}\n#endif }", shape: "struct S"),
  Specimen(source: "struct S { subscript(init x: Int) -> Int { 1 } }", shape: "struct S"),
  Specimen(source: "struct S { let `init` = 1; static func `init`() {} }", shape: "struct S"),
  Specimen(
    source: "struct S { public let a: Int; fileprivate nonisolated init() {} }",
    shape: "struct S"),
  Specimen(source: "extension A.B {}", shape: "extension A.B"),
  Specimen(source: "extension `A b`.C: P {}", shape: "extension A b.C"),
  Specimen(source: "extension M::A.B {}", shape: "extension A.B"),
  Specimen(source: "extension Array<Int> {}", shape: "extension Array<>"),
  Specimen(source: "extension [Int] {}", shape: "extension <>"),
  Specimen(source: "extension Int? {}", shape: "extension Int<>"),
  Specimen(source: "extension A where T: P {}", shape: "extension A<>"),
  Specimen(source: "public protocol P<X>: Q { init() }", shape: "public protocol P<>"),
  Specimen(source: "func f<T>(_ x: T) {}", shape: "func f<>"),
  Specimen(source: "static func == (a: Int, b: Int) {}", shape: "static func"),
  Specimen(source: "prefix operator +++", shape: "prefix operator"),
  Specimen(source: "init(x: Int)", shape: "init"),
  Specimen(source: "subscript(x: Int) -> Int", shape: "subscript"),
  Specimen(source: "typealias A = B", shape: "typealias A"),
  Specimen(source: "import struct A.B", shape: "import struct"),
  Specimen(source: "case a(Int)", shape: "case a"),
  Specimen(source: "#Preview { }", shape: "#Preview"),
  Specimen(source: "{ (x: Int) -> Int in }", shape: ""),
  Specimen(source: "get {}", shape: "get"),
  Specimen(source: "try _", shape: "try _"),
  Specimen(source: "", shape: ""),
  Specimen(source: "@", shape: ""),
  Specimen(source: "class", shape: "class"),
  Specimen(source: "final", shape: "final"),
  Specimen(source: "struct S {", shape: "struct S"),
  Specimen(source: "struct S { init", shape: "struct S"),
  Specimen(source: "struct S { init(", shape: "struct S"),
  Specimen(source: "struct S }{ init() }", shape: "struct S"),
  Specimen(source: "\u{feff}struct S {}", shape: "struct S"),
  Specimen(source: "\r\n@A\r\nstruct S {\r\n  init() {}\r\n}\r\n", shape: "struct S"),
]
