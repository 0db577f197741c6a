import Foundation

extension SharedObject {
  /// An image whose section of records is these bytes.
  public convenience init(records: RecordBytes, name: String) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)")
    try Data(records.bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try self.init(
      """
      __asm__(".section .note.registry, \\"a\\", @note\\n"
              ".balign 8\\n"
              ".incbin \\"\(file.path)\\"\\n"
              ".text");
      """, name: name)
  }
}
