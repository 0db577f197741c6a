import Foundation

/// The bytes of a file, which are read on demand.
///
/// The file is read and not mapped, because access to a mapped file that was shortened ends the
/// process. Some blocks are kept, because headers and metadata are read in small pieces that are
/// close together. Use an instance from one thread at a time.
final class FileBytes {
  /// The path of the file, as the caller passed it.
  let path: String
  let size: UInt64
  /// The identity of the file, which all paths to it share.
  let identity: [String]

  /// The contents of a file in memory; nil for a file on disk.
  private let memory: [UInt8]?
  private let descriptor: Int32
  private var blocks: [UInt64: [UInt8]] = [:]

  private static let blockSize: UInt64 = 1 << 16
  private static let blockLimit = 64

  /// Opens a file.
  ///
  /// - Throws: An ``InspectionProblem`` if the file cannot be opened or is not a regular file.
  init(path: String) throws(InspectionProblem) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .failed(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw InspectionProblem(file: path, code: .unreadableFile, text: "is not a regular file")
    }
    self.path = path
    size = UInt64(status.st_size)
    identity = ["\(status.st_dev)", "\(status.st_ino)"]
    memory = nil
    self.descriptor = descriptor
  }

  /// Creates a file from bytes in memory.
  init(_ bytes: [UInt8], path: String) {
    self.path = path
    size = UInt64(bytes.count)
    identity = [path]
    memory = bytes
    descriptor = -1
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads the bytes of a range that the caller has found to be inside the file.
  func read(_ offset: UInt64, _ count: Int) throws(InspectionProblem) -> [UInt8] {
    // A longer read bypasses the blocks, because it would evict all of them.
    if UInt64(count) > Self.blockSize { return try load(offset, count) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let position = offset + UInt64(bytes.count)
      let block = try block(position / Self.blockSize)
      let start = Int(position % Self.blockSize)
      let end = min(block.count, start + count - bytes.count)
      guard start < end else { throw shorter(position) }
      bytes += block[start..<end]
    }
    return bytes
  }

  private func block(_ number: UInt64) throws(InspectionProblem) -> [UInt8] {
    if let block = blocks[number] { return block }
    let start = number * Self.blockSize
    let block = try load(start, Int(min(Self.blockSize, size - start)))
    if blocks.count == Self.blockLimit { blocks.removeAll() }
    blocks[number] = block
    return block
  }

  private func load(_ offset: UInt64, _ count: Int) throws(InspectionProblem) -> [UInt8] {
    if let memory { return Array(memory[Int(offset)..<Int(offset) + count]) }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let position = offset + UInt64(done)
      let result = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress! + done, count - done, off_t(position))
      }
      if result == 0 { throw shorter(position) }
      if result < 0, errno != EINTR { throw .failed(path, at: position, "cannot be read") }
      done += max(0, result)
    }
    return bytes
  }

  private func shorter(_ offset: UInt64) -> InspectionProblem {
    InspectionProblem(
      file: path, offset: offset, code: .unreadableFile, text: "the file was truncated while it was read")
  }
}

extension InspectionProblem {
  /// Creates an error from the system's error number.
  static func failed(
    _ path: String, at offset: UInt64? = nil, _ what: String = "cannot be opened"
  ) -> InspectionProblem {
    InspectionProblem(
      file: path, offset: offset, code: .unreadableFile, text: "\(what): \(String(cString: strerror(errno)))")
  }
}
