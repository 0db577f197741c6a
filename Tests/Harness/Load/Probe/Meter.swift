import Foundation
import HeapInUse

/// Measures the phases of a scenario and prints a line for each: phase, size, seconds, seconds of the processor, heap and
/// peak memory.
struct Meter {
  let scenario: String
  let size: Int

  /// Runs a phase. What it returns stays in memory until the line is printed.
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
    // Not through a buffer: what was measured before something goes wrong should be read.
    FileHandle.standardOutput.write(Data((line.joined(separator: "\t") + "\n").utf8))
    return result
  }

  private func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that the process ever had in use, in bytes, as the kernel has it.
  private static func peak() -> Int {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
    return 1024 * (words.count > 1 ? Int(words[1]) ?? 0 : 0)
  }
}

/// Ends the program with an error: a number that is wrong is worse than one that is slow.
func require(_ isRight: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
  guard !isRight else { return }
  FileHandle.standardError.write(Data("wrong: \(message()) (line \(line))\n".utf8))
  exit(1)
}
