import Testing

@testable import MacroExpansion

@Suite struct ContributeTests {
  @Test func `A contribution becomes a record with a function`() {
    let text = "(.menu, priority: 0x5, make: { Dish() })"
    let (source, diagnostics) = expansion(request("Contribute", "#contribute\(text)"))
    #expect(diagnostics.isEmpty)
    #expect(json(source) == #"{"point":".menu","handler":"Cart/Cart.swift:12:1","priority":5}"#)
    #expect(source?.contains("0x636f6e74") == true)
    #expect(source?.contains("return unsafe Registry::__provideContribution(__out, __type, __function)") == true)
    #expect(source?.contains("private static func __function(_ __contributions: Registry::__Contributions) {") == true)
    #expect(source?.contains("__contributions\n       .add\(text)\n") == true)
  }

  @Test func `The key and the condition are in the record`() {
    let (source, _) = expansion(
      request("Contribute", #"#contribute(ContributionPoint.dishes, key: "a\"b", when: .flag("x")) { Dish() }"#))
    #expect(
      json(source) == #"""
        {"point":"ContributionPoint.dishes","key":"a\"b","handler":"Cart/Cart.swift:12:1","when":"flag(x)"}
        """#)
  }

  @Test func `A record whose condition is the build states the build`() {
    let source = expansion(request("Contribute", "#contribute(.menu, when: .debug) { Dish() }")).source ?? ""
    #expect(source.hasPrefix("#if DEBUG\n") && source.contains("\n#else\n") && source.hasSuffix("\n#endif"))
    #expect(json(source)?.hasSuffix(#""when":"debug","build":"release"}"#) == true)
  }

  @Test(arguments: [
    ("#contribute()", "'#contribute' requires a contribution point"),
    ("#contribute(.menu, priority: x) { }", "'priority' must be an integer literal"),
    ("#contribute(.menu, when: .monday) { }", "'when' must be written as"),
    (#"#contribute(.menu, key: "\(x)") { }"#, "'key' must"),
    ("#contribute(.menu, color: 1) { }", "'color'"),
  ])
  func `An invalid argument is an error`(_ source: String, _ message: String) {
    let problems = expansion(request("Contribute", source)).diagnostics.map(\.message)
    #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
  }

  @Test func `A property reads a point, and a record states it`() {
    var attached = request(
      "Contributions", "@Contributions(.menu)", on: "@Contributions(.menu) var dishes: [Dish]", in: ["struct Screen"],
      line: 7)
    attached.role = "accessor"
    let getter = expansion(attached).source
    #expect(getter?.contains(#"Registry::__contributions(.menu, "Cart.Screen", "Cart/Cart.swift:7:3")"#) == true)
    attached.role = "peer"
    #expect(
      json(expansion(attached).source)
        == #"{"point":".menu","property":true,"dependent":"Cart.Screen","at":"Cart/Cart.swift:7:3"}"#)
    #expect(
      json(expansion(request("Needs", "#needs(contributions: .menu)")).source)
        == #"{"point":".menu","at":"Cart/Cart.swift:12:1"}"#)
    attached.syntax.source = #"@Contributions(.menu, in: \Screen.services)"#
    #expect(json(expansion(attached).source)?.contains("property") == false)
    attached.role = "accessor"
    #expect(expansion(attached).source?.contains("__contributions(.menu, in: self.services, ") == true)
  }

  @Test func `A property of an observable type that the observation ignores reads a point`() {
    var attached = request(
      "Contributions", "@Contributions(.menu)", on: "@Contributions(.menu) @ObservationIgnored var dishes: [Dish]",
      in: ["@Observable final class Kitchen"])
    attached.role = "accessor"
    #expect(messages(attached).isEmpty)
  }

  @Test(arguments: [
    ("@Contributions(.menu) let dishes: [Dish]", "struct S", "'@Contributions' requires a variable"),
    ("@Contributions(.menu) var dishes: [Dish] = []", "struct S", "cannot have a value or accessors"),
    ("@Contributions(.menu) var dishes: [Dish]", "struct S<T>", "that calls 'contributions(to:)'"),
    ("@Contributions(.menu) var dishes: [Dish]", "protocol P", "in the protocol 'P'"),
    (
      "@Contributions(.menu) var dishes: [Dish]", "@Observable class C",
      "which '@Contributions' already does; write '@Contributions(.menu) @ObservationIgnored var dishes', in"
    ),
  ])
  func `A property that cannot read a point is an error`(_ property: String, _ context: String, _ message: String) {
    var attached = request("Contributions", "@Contributions(.menu)", on: property, in: [context])
    attached.role = "accessor"
    #expect(expansion(attached).diagnostics.first?.message.contains(message) == true)
  }
}
