import Foundation
import Testing

@testable import BinaryInspection

@Suite struct BytesTests {
  @Test("a range outside the file is an error with its offset")
  func outOfFile() throws {
    let view = BinaryView(FileBytes([1, 2, 3, 4], path: "x"))
    #expect(try view.bytes(1, 3, "it") == [2, 3, 4])
    #expect(
      throws: InspectionProblem(file: "x", offset: 2, text: "it (3 bytes) must be within the file, which has 4 bytes")
    ) {
      try view.bytes(2, 3, "it")
    }
    #expect(throws: view.error(4, "it (1 byte) must be within the file, which has 4 bytes")) {
      try view.bytes(4, 1, "it")
    }
    #expect(throws: InspectionProblem.self) { try view.bytes(.max, 2, "it") }
  }

  @Test("a cursor reads up to the last byte, and reports where a field is truncated")
  func cursor() throws {
    let view = BinaryView(FileBytes([9, 1, 2, 3, 4, 0x80, 0x7f, 5], path: "x"))
    var cursor = try view.cursor(1, 4, "it")
    #expect(try cursor.next(UInt32.self) == 0x0403_0201 && cursor.left == 0)
    // The file has bytes behind the cursor's range, which the cursor must not read.
    let end = InspectionProblem(file: "x", offset: 5, text: "unexpected end of it")
    #expect(throws: end) { try cursor.next(UInt8.self) }
    #expect(throws: end) { try cursor.skip(1) }
    #expect(throws: end) { try cursor.text(1) }
    try cursor.skip(0)
    #expect(cursor.offset == 5)
    var three = try view.cursor(1, 3, isBigEndian: true, "it")
    #expect(throws: InspectionProblem.self) { try three.next(UInt32.self) }
    #expect(try three.next(UInt16.self) == 0x0102 && three.offset == 3)
    #expect(throws: InspectionProblem.self) { try three.next(UInt16.self) }
    #expect(throws: InspectionProblem.self) { try three.skip(2) }
    #expect(throws: InspectionProblem.self) { try three.skip(-1) }
  }

  @Test("a cursor over a large range reads values across the ends of its pieces")
  func pieces() throws {
    let bytes = (0..<200_003).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let view = BinaryView(FileBytes(bytes, path: "x"))
    var cursor = try view.cursor(1, 200_002, "it")
    for offset in stride(from: 1, to: 199_999, by: 3) {
      let expected = bytes[offset..<offset + 3].map { $0 }
      #expect(cursor.offset == UInt64(offset) && cursor.left == 200_003 - UInt64(offset))
      let (low, high) = (try cursor.next(UInt16.self), try cursor.next(UInt8.self))
      #expect([UInt8(low & 0xff), UInt8(low >> 8), high] == expected)
    }
    cursor = try view.cursor(1, 200_002, "it")
    try cursor.skip(65_530)
    try cursor.skip(100_000)
    #expect(cursor.offset == 165_531)
    #expect(try cursor.next(UInt8.self) == bytes[165_531])
  }

  @Test("an error for an offset after the end contains the end")
  func errorPlace() {
    let view = BinaryView(FileBytes([1, 2, 3, 4], path: "x"))
    #expect(view.error(.max, "wrong").offset == 4 && view.error(3, "wrong").offset == 3)
  }

  @Test("a file that becomes shorter during a read is an error with an offset")
  func shorter() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("shorter-\(UUID().uuidString)").path
    defer { unlink(path) }
    let size = 200_000
    for (offset, count) in [(0, size), (150_000, 16)] as [(UInt64, Int)] {
      try Data(repeating: 7, count: size).write(to: URL(fileURLWithPath: path))
      let file = try FileBytes(path: path)
      #expect(try file.read(10, 3) == [7, 7, 7])
      #expect(truncate(path, 140_000) == 0)
      #expect(
        throws: InspectionProblem(
          file: path, offset: max(140_000, offset), code: .unreadableFile,
          text: "the file was truncated while it was read")
      ) {
        try file.read(offset, count)
      }
      // The bytes before the new end are still available.
      #expect(try file.read(10, 3) == [7, 7, 7])
    }
  }
}
