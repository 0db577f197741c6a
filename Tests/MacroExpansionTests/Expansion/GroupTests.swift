import Testing

@testable import MacroExpansion

@Suite struct GroupTests {
  /// Returns the JSON of a record and the hexadecimal code of its kind.
  private func record(_ request: MacroRequest) -> (json: String?, kind: String?) {
    let source = expansion(request).source
    let kind = source?.split(separator: "0x69676552").first?.split(separator: ", ").last.map(String.init)
    return (json(source), kind)
  }

  @Test(arguments: [
    ("OnEvent", "#onEvent(.opened, group: \"document\") { _ in }", "0x45766e74"),
    ("ExportRoute", "#exportRoute(.cart, group: #\"document\"#) { }", "0x526f7574"),
    ("ExportAction", "#exportAction(\"cart\", \"open\", group: \"document\") { }", "0x4163746e"),
    ("Contribute", "#contribute(.menu, priority: 2, group: \"document\", make: { Dish() })", "0x436f6e74"),
    ("Needs", "#needs(CartService.self, group: \"document\")", "0x4e656564"),
    ("Needs", "#needs(contributions: .menu, group: \"document\")", "0x4e656564"),
  ])
  func `The kind of a record in a group begins with a letter in upper case`(
    macro: String, source: String, kind: String
  ) {
    let grouped = record(request(macro, source))
    #expect(grouped.json?.contains(#""group":"document""#) == true)
    #expect(grouped.kind == kind)
    let ungrouped = source.replacing("#\"document\"#", with: "nil").replacing("\"document\"", with: "nil")
    let none = record(request(macro, ungrouped))
    #expect(none.json?.contains("group") == false)
    #expect(none.kind?.dropFirst(2).first.flatMap { $0.hexDigitValue } == kind.dropFirst(2).first!.hexDigitValue! + 2)
  }

  @Test(arguments: [
    ("ExportService", "@ExportService(P.self, group: \"document\")", "0x53657276"),
    ("ExportModule", "@ExportModule(group: \"document\")", "0x4d6f6475"),
    ("ExportRouteType", "@ExportRoute(.cart, group: \"document\")", "0x526f7574"),
  ])
  func `An attribute has a group`(macro: String, attribute: String, kind: String) {
    let grouped = record(request(macro, attribute, on: "final class A: P {}", line: 1))
    #expect(grouped.json?.contains(#""group":"document","at":"#) == true)
    #expect(grouped.kind == kind)
  }

  @Test(arguments: [
    ("(.opened, group: \"document\", handler: h)", "(.opened                   , handler: h)"),
    ("(.opened, group: \"ö\") { _ in }", "(.opened             ) { _ in }"),
    ("(.opened, group: nil) { _ in }", "(.opened            ) { _ in }"),
    ("(.opened,\n  group: \"document\") { _ in }", "(.opened \n                   ) { _ in }"),
  ])
  func `Spaces replace the group in the call, so that the other text keeps its position`(source: String, call: String) {
    #expect(expansion(request("OnEvent", "#onEvent\(source)")).source?.contains(".on\(call)") == true)
  }

  @Test func `A group is a literal`() {
    #expect(
      messages(request("OnEvent", "#onEvent(.opened, group: name) { _ in }")) == [
        "'group' must be a string literal on one line such as '\"name\"'; the macro cannot evaluate expressions [not-a-literal]"
      ])
  }

  @Test func `A type can be exported in two groups`() {
    for (macro, first, second) in [
      ("ExportService", "@ExportService(P.self)", "@ExportService(P.self, group: \"document\")"),
      ("ExportRouteType", "@ExportRoute(.a, group: \"x\")", "@ExportRoute(.a, group: \"document\")"),
    ] {
      let name = macro == "ExportService" ? "13ExportService" : "11ExportRoute"
      let use = request(
        macro, second, on: "\(first) \(second) final class A {}", discriminator: "$s4Cart1A\(name)fMp_")
      #expect(messages(use).isEmpty)
    }
  }
}
