internal import RegistryC

/// The conditions that hold in this process unless the app sets others.
package enum ProcessConditions {
  package static var includeTest: Bool { current.contains(.test) }

  static let current = conditions(executable: CommandLine.arguments.first ?? "") { name in
    registry_environment(name).map { String(cString: $0) }
  }

  static func conditions(executable: String, _ variable: (String) -> String?) -> Set<ServiceCondition> {
    var conditions: Set<ServiceCondition> = []
    for flag in (variable("REGISTRY_FLAGS") ?? "").parts(separatedBy: ",") {
      let name = flag.drop { $0 == " " }
      let end = name.lastIndex { $0 != " " }
      if let end { conditions.add(.flag(String(name[...end]))) }
    }
    if variable("XCODE_RUNNING_FOR_PREVIEWS") == "1" { conditions.add(.preview) }
    if variable("XCTestConfigurationFilePath") != nil || variable("XCTestBundlePath") != nil
      || isTestRunner(executable)
    {
      conditions.add(.test)
    }
    return conditions
  }

  /// Returns whether the executable runs tests. On macOS, one of two tools loads the tests' bundle.
  /// Elsewhere, the tests are an executable whose name ends with `.xctest` or `.xctest.exe`.
  private static func isTestRunner(_ executable: String) -> Bool {
    let name = executable.parts(separatedBy: "/").flatMap { $0.parts(separatedBy: "\\") }.last ?? ""
    return name == "xctest" || name == "swiftpm-testing-helper" || name.hasSuffix(".xctest")
      || name.hasSuffix(".xctest.exe")
  }
}
