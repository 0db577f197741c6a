// The text of a record; see RecordFormat.md. A constant in a section can't contain a string, so the
// JSON is stored as words.

struct Record {
  var kind: Kind
  /// The statements of the accessor, which can use the parameters `__out` and `__type`.
  var accessor: [String]
  var json: JSONObject
  var isStatic: Bool
  var name: String
  var attributes: [String] = []

  enum Kind: UInt32 {
    case module = 0x6d6f_6475
    case service = 0x7365_7276
    case handler = 0x6576_6e74
    case route = 0x726f_7574
    case action = 0x6163_746e
    case need = 0x6e65_6564
    case contribution = 0x636f_6e74

    var machOSection: String {
      switch self {
      case .module: "__DATA,__reg_modules"
      case .service: "__DATA,__reg_services"
      default: "__DATA,__reg_exports"
      }
    }
  }

  /// The kind as stored. In a record with a group, the first letter is uppercase, so that older
  /// readers skip the record.
  private var code: UInt64 { UInt64(json.isGrouped ? kind.rawValue & ~0x2000_0000 : kind.rawValue) }

  /// The JSON and a null terminator as little-endian words, padded with zeros.
  var words: [UInt64] {
    let text = Array(json.text.utf8)
    let bytes = text + Array(repeating: 0, count: 8 - text.count % 8)
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<(start + 8)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
  }

  /// The text of the declaration.
  ///
  /// The constant has no `nonisolated`, because that wouldn't compile under
  /// `-default-isolation MainActor`. Types are qualified with their modules, and parameters begin
  /// with underscores, in case the user has declarations with the same names.
  ///
  /// `@Sendable` prevents the closure from inheriting the constant's isolation. Otherwise, in Swift
  /// 5 mode under `-default-isolation MainActor`, the compiler would treat every initializer that
  /// the closure calls as isolated to the main actor.
  var text: String {
    let words = words
    let payload = 8 + words.count * 8
    let types =
      Array(repeating: "Swift::UInt32", count: 6) + [
        "@convention(c) (Swift::UnsafeMutableRawPointer, Swift::UnsafeRawPointer?, Swift::UInt) -> Swift::Bool"
      ] + Array(repeating: "Swift::UInt64", count: words.count)
    let values =
      ["9", "\(payload)", hexadecimal(code), "0x69676552", "0x79727473", "0"]
      + ["{ @Sendable __out, __type, _ in\n\(accessor.joined(separator: "\n"))\n}"] + words.map(hexadecimal)
    return """
      #if objectFormat(MachO)
      @section("\(kind.machOSection),regular,no_dead_strip")
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

private func hexadecimal(_ value: UInt64) -> String {
  "0x" + String(value, radix: 16)
}
