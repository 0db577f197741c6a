import Testing

@testable import BinaryInspection

@Suite struct BytesTests {
  @Test("what leads out of a file is an error that says where")
  func outOfFile() throws {
    let view = BinaryView(FileBytes([1, 2, 3, 4], path: "x"))
    #expect(try view.bytes(1, 3, "it") == [2, 3, 4])
    #expect(
      throws: InspectionError(file: "x", offset: 2, message: "it (3 bytes) leads out of the file, which has 4 bytes")
    ) {
      try view.bytes(2, 3, "it")
    }
    #expect(throws: InspectionError.self) { try view.bytes(.max, 2, "it") }
  }
}
