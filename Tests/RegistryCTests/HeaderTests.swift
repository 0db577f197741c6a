import TestSupport
import Testing

/// Users of the export header, with every compiler and language it claims.
@Suite struct HeaderTests {
  static let languages = [
    "clang -x c -std=c99", "clang -x c -std=gnu11", "clang -x c -std=c17", "clang -x c -std=c2x",
    "clang -x c++ -std=c++11", "clang -x c++ -std=c++20", "clang -x objective-c -std=c11",
    "clang -x objective-c++ -std=c++17", "clang -x c -std=c11 -target arm64-apple-macos13",
    "clang -x c++ -std=c++17 -target x86_64-apple-macos13",
  ]

  private func compile(_ command: String, _ source: String) throws -> (status: Int32, output: String) {
    let flags = [
      "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffreestanding", "-fsyntax-only", "-I", SharedObject.headers,
    ]
    return try SharedObject.run(
      command.split(separator: " ").map(String.init) + flags + ["-"],
      input: "#include \"registry_export.h\"\n" + source + "\n")
  }

  @Test(arguments: languages) func `several exports in one file compile without a warning`(command: String) throws {
    let result = try compile(
      command,
      """
      REGISTRY_EXPORT_MODULE(Shop.LegacyModule)
      REGISTRY_EXPORT_MODULE(linux.unix.Module) REGISTRY_EXPORT_MODULE(Shop.Überraschung)
      REGISTRY_EXPORT_SERVICE(ShopAPI."quoted", Legacy.SystemClock)
      int main(void);
      """)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(arguments: [
    "REGISTRY_EXPORT_MODULE(Shop\\path)", "REGISTRY_EXPORT_MODULE(Shop.A, Shop.B)",
    "REGISTRY_EXPORT_SERVICE(ShopAPI.Clock)", "REGISTRY_EXPORT_MODULE(\"open)",
  ])
  func `what cannot be a record does not compile`(source: String) throws {
    #expect(try compile("clang -x c -std=c11", source).status != 0)
    #expect(try compile("clang -x c++ -std=c++17", source).status != 0)
  }

  @Test func `a record has no relocation`() throws {
    let result = try SharedObject.run(
      [
        "sh", "-c",
        "clang -x c -c -I '\(SharedObject.headers)' - -o /dev/stdout | readelf -SW - 2>/dev/null || true",
      ],
      input: "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(A.B)\n")
    #expect(!result.output.contains(".rela.note.registry"))
  }
}
