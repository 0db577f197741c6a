// The functions of this process that Mach-O images call through the bridge. They are ordinary Swift
// code for Linux, which can import Foundation. Both object formats share Swift's calling convention
// and the layouts of the standard library's types, which probe/ checks.

import Foundation

@_silgen_name("host_run")
public func run(_ program: String, _ arguments: [String], _ input: String, _ folder: String?) throws -> (
  status: Int32, output: String
) {
  let result = try Command.run(program, arguments, input: input, in: folder)
  return (result.status, result.output)
}

@_silgen_name("host_environment")
public func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

// MARK: Files

@_silgen_name("host_temporary_folder")
public func temporaryFolder() -> String { FileManager.default.temporaryDirectory.path }

@_silgen_name("host_create_folder")
public func createFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

@_silgen_name("host_remove")
public func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

@_silgen_name("host_write")
public func write(_ bytes: [UInt8], _ path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

@_silgen_name("host_read")
public func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

// MARK: Time and threads

@_silgen_name("host_uptime")
public func uptime() -> Double { ProcessInfo.processInfo.systemUptime }

@_silgen_name("host_processor_count")
public func processorCount() -> Int { ProcessInfo.processInfo.activeProcessorCount }

@_silgen_name("host_thread_seconds")
public func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

@_silgen_name("host_sleep")
public func sleep(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

@_silgen_name("host_yield")
public func yield() { sched_yield() }

@_silgen_name("host_start_thread")
public func startThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

@_silgen_name("host_semaphore")
public func semaphore(_ value: Int) -> AnyObject { DispatchSemaphore(value: value) }

@_silgen_name("host_signal")
public func signal(_ semaphore: AnyObject) -> Int { (semaphore as! DispatchSemaphore).signal() }

/// Returns whether the wait ended before the given number of seconds.
@_silgen_name("host_wait")
public func wait(_ semaphore: AnyObject, _ seconds: Double) -> Bool {
  (semaphore as! DispatchSemaphore).wait(timeout: seconds.isFinite ? .now() + seconds : .distantFuture) == .success
}

// MARK: Numbers and dates

@_silgen_name("host_decimal")
public func decimal(_ text: String) -> String? {
  Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))?.description
}

@_silgen_name("host_date")
public func date(_ text: String, _ hasFraction: Bool) throws -> Double {
  try Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).parse(text).timeIntervalSinceReferenceDate
}

@_silgen_name("host_date_text")
public func dateText(_ seconds: Double, _ hasFraction: Bool) -> String {
  Date(timeIntervalSinceReferenceDate: seconds)
    .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
}

// MARK: Text

@_silgen_name("host_is_json")
public func isJSON(_ bytes: [UInt8]) -> Bool {
  (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
}

@_silgen_name("host_format")
public func format(_ format: String, _ number: Int) -> String { String(format: format, number) }

@_silgen_name("host_decoded")
public func decoded(_ text: String) -> String? { text.removingPercentEncoding }

@_silgen_name("host_url")
public func url(_ text: String) -> String? { URL(string: text)?.absoluteString }

@_silgen_name("host_url_host")
public func urlHost(_ text: String) -> String? { URL(string: text)?.host }

@_silgen_name("host_unique_text")
public func uniqueText() -> String { UUID().uuidString }

@_silgen_name("host_is_unique_text")
public func isUniqueText(_ text: String) -> Bool { UUID(uuidString: text) != nil }

/// Returns the path of a URL, the names and values of its query, and its fragment.
@_silgen_name("host_components")
public func components(_ text: String) -> (String, [String]?, [String?], String?)? {
  guard let all = URLComponents(string: text) else { return nil }
  return (all.path, all.queryItems?.map(\.name), all.queryItems?.map(\.value) ?? [], all.fragment)
}

// MARK: The process

@_silgen_name("host_exit")
public func endProcess(_ status: Int32) -> Never { exit(status) }
