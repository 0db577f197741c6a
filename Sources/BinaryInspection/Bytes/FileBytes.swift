import Foundation

/// The bytes of a file, read on demand.
///
/// The file isn't mapped, because accessing a mapped file after it's truncated terminates the
/// process. The system caches the bytes that were read.
final class FileBytes {
  let path: String
  let size: UInt64
  /// The device and inode of a file on disk, or the path of a file in memory.
  let identity: [String]

  /// The contents of a file in memory; nil for a file on disk.
  private let memory: [UInt8]?
  private let descriptor: Int32

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

  /// Reads a range. The caller must check that the range is inside the file.
  func read(_ offset: UInt64, _ count: Int) throws(InspectionProblem) -> [UInt8] {
    if let memory { return Array(memory[Int(offset)..<Int(offset) + count]) }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let position = offset + UInt64(done)
      let result = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress! + done, count - done, off_t(position))
      }
      if result == 0 {
        throw InspectionProblem(
          file: path, offset: position, code: .unreadableFile, text: "the file was truncated while it was read")
      }
      if result < 0, errno != EINTR { throw .failed(path, at: position, "cannot be read") }
      done += max(0, result)
    }
    return bytes
  }
}

extension InspectionProblem {
  /// Creates an error from `errno`.
  static func failed(
    _ path: String, at offset: UInt64? = nil, _ what: String = "cannot be opened"
  ) -> InspectionProblem {
    InspectionProblem(
      file: path, offset: offset, code: .unreadableFile, text: "\(what): \(String(cString: strerror(errno)))")
  }
}

extension BinaryView {
  /// Returns the contents of a file that isn't a binary.
  package static func contents(of path: String) throws(InspectionProblem) -> [UInt8] {
    let file = try FileBytes(path: path)
    return try BinaryView(file).bytes(0, file.size, "the file")
  }
}
