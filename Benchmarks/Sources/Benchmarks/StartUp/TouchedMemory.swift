import Foundation

/// The page faults of this process so far, and the memory that only it has written.
struct TouchedMemory {
  /// The number of page faults that needed no disk.
  private var faults = 0
  /// The kilobytes in the writable data of the program and its libraries.
  private var data = 0
  /// The kilobytes in all other memory, except for stacks.
  private(set) var heap = 0

  /// - Parameter start: The earlier state, or nil for the first one. Only the second one counts the
  ///   faults before it reads a file, so that this is not part of the difference.
  init(since start: TouchedMemory? = nil) {
    if start != nil { faults = Self.faults }
    // Reading line by line touches little memory that the measured code could use afterward.
    let file = fopen("/proc/self/smaps", "r")
    defer { if let file { fclose(file) } }
    var isData = false
    var isStack = false
    let size = 8_192
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { line in
      guard let start = line.baseAddress, let file else { return }
      while fgets(start, Int32(size), file) != nil {
        if strncmp(start, "Private_Dirty:", 14) == 0 {
          let size = strtol(start + 14, nil, 10)
          if isData { data += size } else if !isStack { heap += size }
        } else if strchr(start, 0x2d /* - */) != nil, isxdigit(Int32(start[0])) != 0 {
          isData = strchr(start, 0x2f /* / */) != nil
          isStack = strstr(start, "[stack]") != nil
        }
      }
    }
    if start == nil { faults = Self.faults }
  }

  private static var faults: Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_minflt
  }

  /// Returns the differences from an earlier state, for the parent process.
  func text(since start: TouchedMemory) -> String {
    "\(faults - start.faults) \(data - start.data) \(heap - start.heap)"
  }

  static func note(_ differences: [Double]) -> String {
    let numbers = differences.map { Int($0) }
    return "\(numbers[0]) page faults, \(numbers[1]) KB of data and \(numbers[2]) KB of heap dirtied"
  }
}
