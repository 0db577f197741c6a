import Testing

@Suite struct RejectionTests {
  @Test(arguments: rejectedNeeds)
  func `The plugin reports one error for an invalid property or need, at its location`(rejection: Rejection) throws {
    try check(rejection, ["-swift-version", "6"])
  }

  @Test(arguments: misfittingNeeds)
  func `The library's message is one of the errors for a property that cannot be looked up`(rejection: Rejection) throws
  {
    try checkContains(rejection, ["-swift-version", "6"])
  }

  @Test(arguments: misplaced + unreadableArguments + exportedTwice)
  func `The plugin reports one error for an invalid attribute, at its location`(rejection: Rejection) throws {
    try check(rejection, ["-swift-version", "6"])
  }

  @Test(arguments: rejectedHandlers + rejectedRoutes)
  func `The plugin reports one error for an invalid handler, route, or pattern, at its location`(rejection: Rejection)
    throws
  {
    try check(rejection, ["-swift-version", "6"])
  }

  @Test(arguments: misfittingHandlers + misfittingRoutes + misreportedRoutes + misfittingModules)
  func `The compiler reports a handler or a module of the wrong type at the user's line`(rejection: Rejection) throws {
    try checkContains(rejection, ["-swift-version", "6"])
  }

  @Test(arguments: misusedEvents)
  func `The compiler reports the library's message for an event that is misused`(rejection: Rejection) throws {
    try checkContains(rejection, ["-swift-version", "6"])
  }

  @Test(arguments: racingHandlers, ["5", "6"])
  func `A handler off the main actor that changes its state is an error`(rejection: Rejection, mode: String) throws {
    try checkContains(rejection, ["-swift-version", mode])
  }

  @Test func `A handler in a top-level statement is an error and is not dropped silently`() throws {
    let compilation = try Compiler.run(
      [
        "main.swift": """
        import Lifecycle
        extension Event where Payload == Void, Outcome == Void { static var ping: Self { .init("ping") } }
        do { #onEvent(.ping) { _ in } }
        """
      ], ["-swift-version", "6"], emitsObject: true)
    #expect(!compilation.succeeded && compilation.records("evnt") == 0)
    #expect(
      compilation.messages() == [
        "cannot find type '$s7Snippet0015mainswift_tzEGbfMX2_5_33_8851EF5998F303885B642A761C0B5681Ll7onEventfMf_"
          + "8RegistryfMu_' in scope"
      ], "\(compilation.output)")
    #expect(compilation.hasNote("in expansion of macro 'onEvent' here", at: "main.swift:3:6"), "\(compilation.output)")
  }

  @Test(arguments: ["FOO", "BAR"])
  func `Attributes in conditional compilation do not count as duplicates`(flag: String) throws {
    let source = """
      import Registry
      protocol P: Sendable {}
      #if FOO
      @ExportService((any P).self)
      #else
      @ExportService((any P).self, scope: .weak)
      #endif
      @ExportService((any P).self, named: "other")
      final class A: P { init() {} }
      """
    let compilation = try Compiler.run(["snippet.swift": source], ["-swift-version", "6", "-D", flag])
    #expect(compilation.succeeded, "\(compilation.output)")
  }

  @Test(arguments: misfits + misfittingRouteTypes, ["5", "6"])
  func `The type checker reports the library's message for a type that cannot be exported`(
    rejection: Rejection, mode: String
  ) throws {
    try check(rejection, ["-swift-version", mode])
  }

  @Test(arguments: misfits.filter { !$0.source.contains("@ExportModule") })
  func `Neither default isolation nor features change the message`(rejection: Rejection) throws {
    try check(
      rejection,
      [
        "-swift-version", "5", "-default-isolation", "MainActor", "-enable-upcoming-feature",
        "InferIsolatedConformances", "-strict-memory-safety",
      ])
  }

  @Test func `A type in a top-level statement is an error`() throws {
    let compilation = try Compiler.run(
      ["main.swift": "import Registry\nprotocol P {}\ndo { @ExportService((any P).self) struct A: P {} }"],
      ["-swift-version", "6"])
    #expect(
      compilation.diagnostics == [
        "main.swift:3:6: error: '@ExportService' cannot be applied to 'A', which is local to a function, closure, or "
          + "statement; move 'A' to the top level of a file or into a type [local-declaration] "
          + "(from macro 'ExportService')"
      ])
  }

  @Test(arguments: ["5", "6"])
  func `A conformance of the main actor to NamedExport is an error`(version: String) throws {
    let compilation = try Compiler.run(
      ["snippet.swift": "import Registry\n@MainActor final class A: @MainActor NamedExport { init() {} }"],
      ["-swift-version", version])
    #expect(!compilation.succeeded)
    #expect(
      compilation.diagnostics == [
        "snippet.swift:2:24: error: cannot form main actor-isolated conformance of 'A' to SendableMetatype-inheriting "
          + "protocol 'NamedExport' [#IsolatedConformances]"
      ], "\(compilation.output)")
  }

  @Test(arguments: isolatedConformances, ["5", "6"])
  func `A conformance of the main actor is not exported to code on other actors`(
    source: String, version: String
  ) throws {
    let preamble = "import Registry\nimport Routing\nprotocol P { func f() }\n"
    let compilation = try Compiler.run(["snippet.swift": preamble + source], ["-swift-version", version])
    let isError = version == "6"
    #expect(compilation.succeeded == !isError && compilation.diagnostics.count == 1, "\(compilation.output)")
    #expect(
      compilation.messages(isError ? "error" : "warning") == [
        isError
          ? "main actor-isolated conformance of 'A' to 'P' cannot be used in nonisolated context "
            + "[#IsolatedConformances]"
          : "main actor-isolated conformance of 'A' to 'P' cannot be used in nonisolated context; "
            + "this is an error in the Swift 6 language mode [#IsolatedConformances]"
      ], "\(compilation.output)")
    let note =
      source.hasPrefix("@ExportRoute")
      ? "in expansion of macro 'ExportRoute' on class 'A' here"
      : "in expansion of macro 'ExportService' on class 'A' here"
    #expect(compilation.hasNote(note, at: "snippet.swift:4:1"), "\(compilation.output)")
  }

  /// Checks the compiler's own error, which the documentation of the macros explains.
  ///
  /// The compiler does not run the macro.
  @Test(arguments: [
    "@ExportService(A.self) final class A { init() {} }",
    "enum Outer { @ExportService(Outer.A.self) final class A { init() {} } }",
    "@ExportService(Alias.self) final class A { init() {} }; typealias Alias = A",
  ])
  func `A type as its own service is a circular reference to the compiler`(source: String) throws {
    let compilation = try Compiler.run(["snippet.swift": "import Registry\n\(source)"], ["-swift-version", "6"])
    #expect(!compilation.succeeded)
    #expect(
      compilation.messages() == [
        "circular reference resolving attached macro 'ExportService'", "unknown attribute 'ExportService'",
      ], "\(compilation.output)")
    #expect(!compilation.output.contains("in expansion of macro"))
  }

  /// Checks the compiler's own errors, which the documentation of the macros explains.
  ///
  /// The macro cannot detect that the type is generic, and there is no other position for a record.
  @Test(arguments: [
    "@ExportService((any P).self) struct A: P {}", "@ExportModule final class A: Module { init() {} }",
  ])
  func `A type in an extension of a generic type gets the compiler's three errors`(source: String) throws {
    let compilation = try Compiler.run(
      [
        "snippet.swift":
          "import Lifecycle\nimport Registry\nprotocol P {}\nstruct Box<T> {}\nextension Box { \(source) }"
      ],
      ["-swift-version", "6"])
    #expect(
      compilation.messages().sorted() == [
        "attribute @section cannot be used in a generic context", "attribute @used cannot be used in a generic context",
        "static stored properties not supported in generic types",
      ], "\(compilation.output)")
    let note =
      source.hasPrefix("@ExportModule")
      ? "in expansion of macro 'ExportModule' on class 'A' here"
      : "in expansion of macro 'ExportService' on struct 'A' here"
    #expect(compilation.hasNote(note, at: "snippet.swift:5:17"), "\(compilation.output)")
  }

  /// Checks that the compiler reports an error, possibly among others.
  private func checkContains(_ rejection: Rejection, _ flags: [String]) throws {
    let compilation = try Compiler.run(["snippet.swift": rejection.file], flags)
    #expect(!compilation.succeeded)
    let location = try #require(rejection.location)
    #expect(compilation.errors.contains("\(location): error: \(rejection.message)"), "\(compilation.output)")
  }

  private func check(_ rejection: Rejection, _ flags: [String]) throws {
    let compilation = try Compiler.run(["snippet.swift": rejection.file], flags)
    #expect(!compilation.succeeded)
    let location = try #require(rejection.location)
    if case .after = rejection.place {
      #expect(compilation.errors.count == 1, "\(compilation.output)")
      #expect(compilation.errors[0].hasPrefix("\(location):"), "\(compilation.output)")
      #expect(compilation.messages() == [rejection.message], "\(compilation.output)")
    } else {
      #expect(compilation.errors == ["\(location): error: \(rejection.message)"], "\(compilation.output)")
    }
  }
}
