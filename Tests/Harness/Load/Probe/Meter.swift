import Foundation
import HeapInUse

/// A meter that measures the phases of a scenario.
///
/// It prints a line for each phase: name, size, elapsed seconds, processor seconds, heap, and peak
/// memory.
struct Meter {
  let scenario: String
  let size: Int

  /// Runs and measures a phase, and keeps its result in memory until the line is printed.
  @discardableResult
  func phase<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    let result = try body()
    let seconds = [now(CLOCK_MONOTONIC) - start.0, now(CLOCK_PROCESS_CPUTIME_ID) - start.1]
      .map { String(format: "%.5f", $0) }
    let megabytes = [Double(heap_in_use()), Double(Self.peak())].map {
      String(format: "%.1f", $0 / 1e6)
    }
    let line = [scenario, name, "\(size)"] + seconds + megabytes
    // Write without a buffer, so that the lines remain if a later phase crashes.
    FileHandle.standardOutput.write(Data((line.joined(separator: "\t") + "\n").utf8))
    return result
  }

  private func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the maximum resident memory of the process in bytes, as the kernel reports it.
  private static func peak() -> Int {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
    return 1024 * (words.count > 1 ? Int(words[1]) ?? 0 : 0)
  }
}

/// Ends the program with an error if a result is wrong.
func require(_ isRight: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
  guard !isRight else { return }
  FileHandle.standardError.write(Data("wrong: \(message()) (line \(line))\n".utf8))
  exit(1)
}
