/// A copy of a section's bytes, aligned to eight bytes like the records in memory.
final class AlignedBytes {
  let bytes: UnsafeMutableRawBufferPointer

  /// Allocates uninitialized bytes; the caller writes all of them.
  init(count: Int) {
    bytes = .allocate(byteCount: count, alignment: 8)
  }

  deinit {
    bytes.deallocate()
  }
}
