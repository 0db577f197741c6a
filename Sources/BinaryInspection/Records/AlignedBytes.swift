/// The bytes of a section, aligned to eight bytes as records in memory are.
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
