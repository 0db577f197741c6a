// The functions of this process that Mach-O images call through the bridge. They are ordinary Swift
// code for Linux, which can import Foundation. Both object formats share Swift's calling convention
// and the layouts of the standard library's types.

import Foundation

@_silgen_name("host_run")
public func run(_ program: String, _ arguments: [String], _ input: String, _ folder: String?) throws -> (
  status: Int32, output: String
) {
  let result = try Command.run(program, arguments, input: input, in: folder)
  return (result.status, result.output)
}

@_silgen_name("host_start_thread")
public func startThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

@_silgen_name("host_remove")
public func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

@_silgen_name("host_write")
public func write(_ bytes: [UInt8], _ path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

@_silgen_name("host_read")
public func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

@_silgen_name("host_url")
public func url(_ text: String) -> String? { URL(string: text)?.absoluteString }

/// Returns the canonical text of a UUID, or a new one.
@_silgen_name("host_uuid")
public func uuid(_ text: String?) -> String? {
  guard let text else { return UUID().uuidString }
  return UUID(uuidString: text)?.uuidString
}

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

@_silgen_name("host_matches")
public func matches(_ text: String, _ pattern: String) -> Bool {
  text.range(of: pattern, options: .regularExpression) != nil
}

@_silgen_name("host_check_json")
public func checkJSON(_ bytes: [UInt8]) throws { _ = try JSONSerialization.jsonObject(with: Data(bytes)) }
