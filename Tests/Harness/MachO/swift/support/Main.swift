import Testing

/// Runs the tests of all images that are loaded. The process ends with their status.
@_cdecl("run_tests") public func runTests() -> Int32 {
  Task { await Testing.__swiftPMEntryPoint() as Never }
  return -1
}
