// A frame consists of a message and its length before it, in eight little-endian bytes. A frame of
// length zero ends the connection.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
#warning("no C library is imported for this platform; import one that declares 'read', 'write', 'dup', and 'dup2'")
#endif

protocol Channel {
  func receive(upTo count: Int) -> [UInt8]
  func send(_ bytes: [UInt8]) -> Bool
}

let longestFrame: UInt64 = 1 << 30

func serve(_ channel: some Channel, answer: ([UInt8]) -> [UInt8]) {
  while let message = readFrame(channel) {
    guard writeFrame(answer(message), to: channel) else { return }
  }
}

func readFrame(_ channel: some Channel) -> [UInt8]? {
  guard let header = readBytes(8, from: channel) else { return nil }
  let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  guard length > 0, length <= longestFrame else { return nil }
  return readBytes(Int(length), from: channel)
}

func writeFrame(_ message: [UInt8], to channel: some Channel) -> Bool {
  let length = UInt64(message.count)
  return channel.send((0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + message)
}

/// Reads an exact number of bytes, or returns nil. Allocates memory only for bytes that arrive,
/// because the length can be invalid.
private func readBytes(_ count: Int, from channel: some Channel) -> [UInt8]? {
  var bytes: [UInt8] = []
  while bytes.count < count {
    let part = channel.receive(upTo: min(count - bytes.count, 1 << 16))
    if part.isEmpty { return nil }
    bytes += part
  }
  return bytes
}

struct FileDescriptorChannel: Channel {
  let input: CInt
  let output: CInt

  /// Redirects later output of the process to standard error, so that it can't interfere with
  /// frames.
  static func standard() -> FileDescriptorChannel {
    let output = dup(1)
    guard output >= 0, dup2(2, 1) >= 0 else { return FileDescriptorChannel(input: 0, output: 1) }
    return FileDescriptorChannel(input: 0, output: output)
  }

  func receive(upTo count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var got: Int
      repeat { got = read(input, buffer.baseAddress, count) } while got < 0 && errno == EINTR
      initialized = max(0, got)
    }
  }

  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let put = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if put < 0, errno == EINTR { continue }
      if put <= 0 { return false }
      rest = rest.dropFirst(put)
    }
    return true
  }
}
