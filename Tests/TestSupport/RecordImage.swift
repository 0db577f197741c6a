import Foundation

extension SharedObject {
  /// Creates an image whose record section consists of the given bytes.
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

  /// Returns C code that declares two accessors without a result and a macro that defines a record.
  ///
  /// The accessor `nothing` always fails, and `liar` claims the type `Int` but provides no value.
  /// The macro is `RECORD(variable, accessor, json)`.
  public static func badAccessors(kind: UInt32) -> String {
    #"""
    #include "registry_record.h"
    extern char int_metadata __asm__("$sSiN");
    static bool nothing(void *out, const void *type, uintptr_t reserved) {
      (void)out, (void)type, (void)reserved;
      return false;
    }
    static bool liar(void *out, const void *type, uintptr_t reserved) {
      (void)reserved;
      if (type) return false;
      *(const void **)out = &int_metadata;
      return true;
    }
    #define RECORD(id, accessor, json) \
      __attribute__((used, aligned(8), section(".note.registry"))) static struct { \
        uint32_t a, b, c; char n[12]; registry_accessor f; char t[64]; \
      } id = {9, 72, \#(kind), "Registry", accessor, json};
    """#
  }

  /// The type of the accessor in a record.
  public typealias Accessor = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, UInt) -> Bool

  /// Returns C code of an accessor named good that calls an accessor of this process.
  public static func goodAccessor(_ accessor: Accessor) -> String {
    // The address stays valid, because the code is compiled and loaded while this process runs.
    let address = unsafeBitCast(accessor, to: UInt.self)
    return """

      static bool good(void *out, const void *type, uintptr_t reserved) {
        return ((registry_accessor)\(address)ull)(out, type, reserved);
      }

      """
  }
}
