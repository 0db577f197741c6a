/// Bytes of a section, eight-byte aligned as records are where they are loaded. Freed with the last reference.
final class AlignedBytes {
  let bytes: UnsafeMutableRawBufferPointer

  /// Bytes that are not initialized: whoever makes them writes all of them.
  init(count: Int) {
    bytes = .allocate(byteCount: count, alignment: 8)
  }

  deinit {
    bytes.deallocate()
  }
}
