// A frame consists of a length, in eight little-endian bytes, and a message of that length. A
// length of zero ends the connection.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#else
#warning("no C library is imported for this platform; import one that declares 'fread', 'fwrite', and 'dup2'")
#endif

typealias File = UnsafeMutablePointer<FILE>

/// The limit on the length of a compiler's message. A longer frame ends the connection.
let longestFrame: UInt64 = 1 << 30

/// Returns the files that a plugin uses to receive and answer messages.
///
/// Later writes to standard output go to standard error, so that they can't corrupt frames.
func standardFiles() -> (input: File, output: File)? {
  guard let input = fdopen(0, "r"), let output = fdopen(dup(1), "w"), dup2(2, 1) >= 0 else { return nil }
  return (input, output)
}

/// Answers messages until the input ends, a frame is invalid, or the output is closed.
func serve(_ input: File, _ output: File, answer: ([UInt8]) -> [UInt8]) {
  while let message = readFrame(input) {
    guard writeFrame(answer(message), to: output) else { return }
  }
}

func readFrame(_ input: File) -> [UInt8]? {
  guard let header = readBytes(8, from: input) else { return nil }
  let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  guard length > 0, length <= longestFrame else { return nil }
  return readBytes(Int(length), from: input)
}

func writeFrame(_ message: [UInt8], to output: File) -> Bool {
  let length = UInt64(message.count)
  let frame = (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + message
  return fwrite(frame, 1, frame.count, output) == frame.count && fflush(output) == 0
}

private func readBytes(_ count: Int, from input: File) -> [UInt8]? {
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { $1 = fread($0.baseAddress, 1, count, input) }
  return bytes.count == count ? bytes : nil
}
