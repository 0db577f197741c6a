internal import RegistryC

let importedModule = "__C."

/// Returns the name of a type as records spell it: with the module and the enclosing types, but
/// without a module for types imported from C and Objective-C.
///
/// A name is a label, not an identity. Private types of one module can share a name, and the macros
/// cannot always spell a name as the runtime does, because they see only the type's own source. If
/// both types are available, compare the types instead of their names.
package func recordName(of type: Any.Type) -> String {
  _typeName(type).recordForm
}

extension JSONText {
  package var recordForm: String {
    // Most names already have this form.
    if let bytes, let start = bytes.baseAddress, registry_is_plain_name(start, bytes.count) { return string }
    return string.recordForm
  }
}

extension String {
  /// The name of a type in the form that records, reports, and comparisons use.
  ///
  /// The string can already have this form or come from `String(reflecting:)`, which puts backticks
  /// and nonbreaking spaces into raw identifiers. It spells a type in an extension of another
  /// module's type as `(extension in Cart):Swift.String.CartModule`, and a private type as
  /// `Cart.(unknown context at $0123).CartModule`, or `Cart.(CartModule in _89AB…)` in optimized
  /// code.
  package var recordForm: String {
    // Imported types have their C or Objective-C names, without a module.
    if utf8.first == UInt8(ascii: "_"), hasPrefix(importedModule) { return String(dropFirst(importedModule.count)) }
    guard utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "`") }) else { return self }
    var rest = Array(utf8)[...]
    var form: [UInt8] = []
    func take(to end: Unicode.Scalar) -> ArraySlice<UInt8> {
      let part = rest.prefix { $0 != UInt8(ascii: end) }
      rest = rest[part.endIndex...].dropFirst()
      return part
    }
    if rest.begins(with: extensionMark) {
      form += take(to: ")").dropFirst(extensionMark.utf8.count)
      // The module of the extended type follows.
      rest = rest.drop { $0 != UInt8(ascii: ".") }
    }
    while !rest.isEmpty {
      if rest.begins(with: "(unknown context at $") {
        _ = take(to: ".")
        continue
      }
      let isPrivate = rest.isPrivateName
      if isPrivate { rest.removeFirst() }
      if rest.first == UInt8(ascii: "`") {
        rest.removeFirst()
        form += take(to: "`")
      }
      if isPrivate {
        form += take(to: " ")
        _ = take(to: ")")
      }
      let end = rest.firstIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? rest.endIndex
      form += rest[..<end]
      rest = rest[end...]
    }
    // The compiler stores spaces in raw identifiers as nonbreaking spaces.
    return String(decoding: form, as: UTF8.self).parts(separatedBy: "\u{a0}").joined(separator: " ")
  }

  package var describesPrivateType: Bool {
    parts(separatedBy: ".").contains { $0.hasPrefix("(") && !$0.hasPrefix(extensionMark) }
  }
}

extension ArraySlice<UInt8> {
  /// A Boolean value that indicates whether the text begins with a private type's name, as in
  /// `(CartModule in _89AB…)`. The 32-digit hash distinguishes it from a raw identifier that lost
  /// its backticks, such as `(A in _B)`.
  fileprivate var isPrivateName: Bool {
    guard first == UInt8(ascii: "(") else { return false }
    let mark = dropFirst().first == UInt8(ascii: "`") ? UInt8(ascii: "`") : UInt8(ascii: " ")
    let end = dropFirst(2).drop { $0 != mark }
    let context = end.drop { $0 == UInt8(ascii: "`") }
    let hash = context.dropFirst(5).prefix {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0
    }
    return context.begins(with: " in _") && hash.count == 32
  }
}

private let extensionMark = "(extension in "

/// Returns whether two types are the same, or copies of one type in two images.
///
/// The runtime's name distinguishes private types. In optimized code, it contains a hash of the
/// file. Otherwise, it contains the context's address, so copies of a private type differ.
package func isSameType(_ type: Any.Type, _ other: Any.Type) -> Bool {
  type == other || _typeName(type) == _typeName(other)
}

/// Returns whether a type is private or local. Other types can share its name.
package func isPrivateType(_ type: Any.Type) -> Bool {
  _typeName(type).describesPrivateType
}
