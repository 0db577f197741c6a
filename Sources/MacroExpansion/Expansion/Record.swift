// The text of a record: RecordFormat.md in Swift. A constant in a section can hold integers and closures that
// capture nothing, in tuples; so the JSON travels as words.

/// A record that an attribute expands to.
struct Record {
  /// FourCC.
  var kind: UInt32
  /// The section's name in a Mach-O file.
  var machOSection: String
  /// The statements that answer for the accessor, in terms of `__out` and `__type`.
  var accessor: [String]
  var json: String
  /// Whether the constant stands in a type.
  var isStatic: Bool
  /// The constant's name.
  var name: String
  /// `@available` attributes of the constant.
  var attributes: [String] = []

  static let module: UInt32 = 0x6d6f_6475
  static let service: UInt32 = 0x7365_7276
  static let handler: UInt32 = 0x6576_6e74
  static let route: UInt32 = 0x726f_7574
  static let action: UInt32 = 0x6163_746e

  /// The JSON with its NUL, filled up to whole words, as the words of a little-endian machine; every
  /// platform Swift records are for is one.
  var words: [UInt64] {
    let bytes = Array(json.utf8)
    // One byte more at least, the NUL.
    return stride(from: 0, to: bytes.count + 1, by: 8).map { start in
      (0..<8).reduce(UInt64(0)) { word, place in
        let index = start + place
        return word | UInt64(index < bytes.count ? bytes[index] : 0) << (place * 8)
      }
    }
  }

  /// The declaration.
  ///
  /// No `nonisolated`: under `-default-isolation MainActor` the constant does not compile with it. The types
  /// carry their module's name and the parameters underscores, in case the user has types of the same name.
  ///
  /// `@Sendable` keeps the closure off the constant's own isolation: in Swift 5 mode under
  /// `-default-isolation MainActor` every initializer named in it would look as if it needed the main actor.
  var text: String {
    let words = words
    let payload = 8 + words.count * 8
    let types =
      Array(repeating: "Swift::UInt32", count: 6) + [
        "@convention(c) (Swift::UnsafeMutableRawPointer, Swift::UnsafeRawPointer?, Swift::UInt) -> Swift::Bool"
      ] + Array(repeating: "Swift::UInt64", count: words.count)
    let values =
      ["9", "\(payload)", hexadecimal(UInt64(kind)), "0x69676552", "0x79727473", "0"]
      + ["{ @Sendable __out, __type, _ in \(accessor.joined(separator: "; ")) }"] + words.map(hexadecimal)
    return """
      #if objectFormat(MachO)
      @section("\(machOSection),regular,no_dead_strip")
      #elseif objectFormat(ELF)
      @section(".note.registry")
      #endif
      @used
      \(attributes.map { $0 + "\n" }.joined())private \(isStatic ? "static " : "")let \(name): (
        \(types.joined(separator: ", "))
      ) = (
        \(values.joined(separator: ", "))
      )
      """
  }
}

/// A number as source.
private func hexadecimal(_ value: UInt64) -> String {
  "0x" + String(value, radix: 16)
}
