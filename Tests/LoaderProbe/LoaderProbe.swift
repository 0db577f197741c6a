import Foundation
import Lifecycle
import Registry

/// A program that runs one scenario on an emulated loader in a separate process.
///
/// `LoaderProbe SCENARIO PLUG-IN…` exits with status 0 if every expectation was met. The program
/// may hang otherwise, so the caller limits its time. The loaders are in `loader.c`.
@main struct LoaderProbe {
  static let scenarios: [String: @Sendable ([String]) throws -> Void] = [
    "changes": changes, "locks": locks, "initializers": initializers, "memory": memory, "first-scan": firstScan,
    "foreign": foreign, "threads": threads, "creating": creating, "joining": joining, "events": events,
    "replaced-program": replacedProgram, "replaced-library": replacedLibrary, "forks": forks, "swapped": swapped,
  ]

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let name = arguments.first, let scenario = scenarios[name] else {
      print("LoaderProbe SCENARIO PLUG-IN…, where SCENARIO is one of", scenarios.keys.sorted())
      exit(2)
    }
    setenv("PROBE_PROVIDE", address(of: provide), 1)
    do {
      try scenario(Array(arguments.dropFirst()))
    } catch {
      print(error)
      exit(1)
    }
  }

  /// Returns the text by which a plug-in finds a function of this program.
  static func address(of function: @convention(c) () -> Void) -> String {
    String(unsafeBitCast(function, to: UInt.self), radix: 16)
  }

  private static func address(
    of function: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, UInt) -> Bool
  ) -> String {
    String(unsafeBitCast(function, to: UInt.self), radix: 16)
  }

  /// The accessor in the records of all plug-ins.
  private static let provide: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, UInt) -> Bool = {
    out, type, _ in __provide(__service((any Late).self), out, type, LateService.init)
  }

  /// An expectation that was not met.
  struct Failure: Error {
    let message: String
  }

  static func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Failure(message: message()) }
  }

  static func open(_ path: String) throws -> UnsafeMutableRawPointer {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw Failure(message: String(cString: dlerror())) }
    return handle
  }
}

/// The service that the plug-ins export.
protocol Late {}

final class LateService: Late, NamedExport {}

/// A service that nothing exports.
protocol Missing {}

/// A service that this program exports.
protocol Own {}

@ExportService((any Own).self) final class OwnService: Own {}

/// A service that this program exports, with one instance.
protocol Lasting: AnyObject, Sendable {}

@ExportService((any Lasting).self, scope: .shared) final class LastingService: Lasting {}

/// A module that this program exports.
@ExportModule final class ProbeModule: Module {
  static var phases: [String] = []

  func setUp(_ context: Context) throws { Self.phases.append("set up") }
  func tearDown(_ context: Context) throws { Self.phases.append("torn down") }
}

extension Event where Payload == Void, Outcome == Void {
  static var probed: Self { Self("probe.probed") }
}
