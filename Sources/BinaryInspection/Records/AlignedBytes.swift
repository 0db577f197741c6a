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

  func word(at offset: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }

  /// Turns a number of four bytes around.
  func swapWord(at offset: Int) {
    bytes.storeBytes(of: word(at: offset).byteSwapped, toByteOffset: offset, as: UInt32.self)
  }

  /// Whether all of `count` bytes, or as many as are left, are zero.
  func isZero(at offset: Int, _ count: Int) -> Bool {
    bytes[offset..<min(offset + count, bytes.count)].allSatisfy { $0 == 0 }
  }
}
