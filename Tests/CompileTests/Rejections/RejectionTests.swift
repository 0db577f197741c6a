import Testing

@Suite struct RejectionTests {
  @Test(arguments: [rejectedAttributes, rejectedScript])
  func `The plugin reports one error for an invalid attribute, at its location`(code: RejectedCode) throws {
    try check(code)
  }

  @Test(arguments: [rejectedHandlers, rejectedRoutes])
  func `The plugin reports one error for an invalid handler, route, or pattern, at its location`(code: RejectedCode)
    throws
  {
    try check(code)
  }

  @Test(arguments: [rejectedNeeds, unfitNeeds])
  func `The plugin or the compiler reports an invalid property or need, at its location`(code: RejectedCode) throws {
    try check(code)
  }

  @Test(arguments: [unfitHandlers, unfitRoutes, unfitModules])
  func `The compiler reports a handler or a module of the wrong type at the user's line`(code: RejectedCode) throws {
    try check(code)
  }

  @Test func `The compiler reports the library's message for an event that is misused`() throws {
    try check(misusedEvents)
  }

  @Test(arguments: [misusedServices, misplacedArguments])
  func `The compiler reports the library's message for a call of the registry that is misused`(code: RejectedCode)
    throws
  {
    try check(code)
  }

  @Test(arguments: [RejectionMode.swift5, .swift6])
  func `A handler off the main actor that changes its state is an error`(mode: RejectionMode) throws {
    try check(racingHandlers, mode)
  }

  @Test(arguments: [RejectionMode.swift5, .swift6])
  func `A function that almost matches a requirement is a warning at its name`(mode: RejectionMode) throws {
    try check(nearMisses, mode)
  }

  @Test(arguments: RejectionMode.allCases)
  func `The type checker reports the library's message for a type that cannot be exported`(mode: RejectionMode) throws {
    try check(rejectedTypes, mode)
  }

  @Test(arguments: RejectionMode.allCases)
  func `A conformance of the main actor to NamedExport is an error`(mode: RejectionMode) throws {
    try check(isolatedName, mode)
  }

  @Test(arguments: RejectionMode.allCases)
  func `A conformance of the main actor is not exported to code on other actors`(mode: RejectionMode) throws {
    try check(isolatedConformances, mode) { expectation in
      guard mode != .swift6 else { return }
      expectation.severity = "warning"
      expectation.message.replace(" [#", with: "; this is an error in the Swift 6 language mode [#")
    }
  }

  @Test func `A type as its own service is a circular reference to the compiler`() throws {
    try check(circularServices)
  }

  @Test func `A type in an extension of a generic type gets the compiler's three errors`() throws {
    try check(attributesInGenericExtensions)
  }

  @Test func `A protocol without any gets only the compiler's warning`() throws {
    try check(existentialService, .features)
    #expect(try RejectedModule.diagnostics(.swift6).allSatisfy { $0.file != existentialService.name })
  }

  @Test func `A fixture without its message, at another place, or without an error does not pass`() throws {
    var code = RejectedCode("Needs.swift", rejectedNeeds.source)
    let reported = try RejectedModule.diagnostics(.swift6)
    #expect(code.differences(from: reported).isEmpty)
    code.source.replace("// 13: error: '@Service' requires", with: "// 13: warning: '@Service' requires")
    #expect(code.differences(from: reported).count == 2)
    code.source.replace("// 13: warning: '@Service' requires", with: "// 14: error: '@Service' requires")
    #expect(code.differences(from: reported).count == 2)
    code = RejectedCode("Needs.swift", "// No expectations.")
    #expect(code.differences(from: reported).count == rejectedNeeds.expectations.count)
  }

  /// Checks that the compiler reports what a file states, and nothing else about this file.
  private func check(
    _ code: RejectedCode, _ mode: RejectionMode = .swift6, adapting adapt: (inout Diagnostic) -> Void = { _ in }
  ) throws {
    let differences = code.differences(from: try RejectedModule.diagnostics(mode), adapting: adapt)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
