// Runs the fuzzer in Swift that has the name of the program.

import Foundation

private let fuzzers: [String: @Sendable (UnsafeRawBufferPointer) -> Void] = [
  "json": fuzzJSON, "attributes": fuzzAttributes, "routes": fuzzRoutes, "binaries": fuzzBinaries,
]

private let fuzzer: @Sendable (UnsafeRawBufferPointer) -> Void = {
  let name = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent
  guard let fuzzer = fuzzers[name] else { fatalError("there is no fuzzer '\(name)'") }
  return fuzzer
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  fuzzer(UnsafeRawBufferPointer(start: start, count: size))
  return 0
}

/// Ends the run if a promise is broken, so that libFuzzer keeps the input.
func require(_ holds: Bool, _ problem: @autoclosure () -> String) {
  guard !holds else { return }
  FileHandle.standardError.write(Data("broken: \(problem())\n".utf8))
  abort()
}

/// The result of reading bytes with Foundation.
enum FoundationJSON {
  case object([String: Any])
  /// The bytes are not an object, or not JSON, and the value is Foundation's reason.
  case refused(String)
  /// Foundation's result cannot be compared.
  ///
  /// Foundation reads every number, including those that the reader skips, and rejects numbers that
  /// do not fit.
  case undecided

  init(_ bytes: UnsafeRawBufferPointer) {
    // Most inputs are not JSON at all. Foundation need not read an input without a brace.
    guard bytes.contains(UInt8(ascii: "{")) else {
      self = .refused("no brace")
      return
    }
    do {
      let value = try JSONSerialization.jsonObject(with: Data(bytes))
      self = (value as? [String: Any]).map { .object($0) } ?? .refused("not an object")
    } catch {
      let problem = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)"
      self = problem.contains("is not representable") ? .undecided : .refused(problem)
    }
  }

  /// Returns a Boolean value that indicates whether Foundation read `true` or `false`.
  static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }

  /// Returns the number that Foundation read, or nil if it does not fit `Int`.
  ///
  /// Foundation stores `1.0` and `1e3` in floating point, and the reader does not accept them.
  static func integer(_ value: Any) -> Int? {
    guard let number = value as? NSNumber, !["c", "d"].contains(String(cString: number.objCType)) else { return nil }
    return Int("\(number)")
  }
}

extension String {
  /// Returns a Boolean value that indicates whether both strings have the same code points.
  ///
  /// The operator `==` also accepts strings that are only canonically equivalent.
  func isExactly(_ other: String) -> Bool { unicodeScalars.elementsEqual(other.unicodeScalars) }
}
