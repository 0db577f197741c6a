import Foundation

/// A meter that measures the phases of a scenario.
struct Meter {
  let size: Int

  /// Runs a phase, and prints its name, the seconds of processor time that the process spends, and
  /// the megabytes of its peak memory.
  @discardableResult
  func phase<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = seconds()
    let result = try body()
    let spent = seconds() - start
    // The kernel states the maximum resident memory in kilobytes.
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    // Write without a buffer, so that the lines remain if a later phase crashes.
    FileHandle.standardOutput.write(Data("\(name)\t\(spent)\t\(Double(usage.ru_maxrss) / 1e3)\n".utf8))
    return result
  }

  private func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Ends the program with an error if a result is wrong.
func require(_ isRight: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
  guard !isRight else { return }
  FileHandle.standardError.write(Data("FAILED: \(message()) (line \(line))\n".utf8))
  exit(1)
}
