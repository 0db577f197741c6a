/// The prefix of the runtime's names for types that are imported from Objective-C.
let importedModule = "__C."

/// Returns the name of a type as records spell it.
///
/// The name contains the module and the enclosing types. The name of an Objective-C type has no
/// module.
///
/// A name is a label, not an identity. Several private types of one module can have the same name,
/// and the macros cannot always spell a name as the runtime does: they see the source of one type,
/// and do not know which module declares the type that an extension around it extends.
package func recordName(of type: Any.Type) -> String {
  let name = _typeName(type)
  if name.hasPrefix(importedModule) { return String(name.dropFirst(importedModule.count)) }
  guard name.contains("(") else { return name }
  // The runtime's name of a private type is "Cart.(unknown context at $0123).CartModule", or in
  // optimized code "Cart.(CartModule in _89AB)". The name of a type in an extension of another
  // module's type is "(extension in Cart):Swift.String.CartModule".
  var parts = name.split(separator: ".")
  if parts[0].hasPrefix(extensionMark), let end = parts[0].firstIndex(of: ")") {
    parts[0] = parts[0][..<end].dropFirst(extensionMark.count)
  }
  return parts.compactMap { part -> Substring? in
    guard part.hasPrefix("(") else { return part }
    return part.hasPrefix("(unknown context at ") ? nil : part.dropFirst().split(separator: " ").first
  }.joined(separator: ".")
}

/// The beginning of the runtime's name for a type in an extension of another module's type.
private let extensionMark = "(extension in "

/// Returns whether two types are the same, or copies of one type in two images.
///
/// The runtime's name distinguishes private types with the same name, because it contains the
/// address of their context, or in optimized code a hash of their file.
package func isSameType(_ type: Any.Type, _ other: Any.Type) -> Bool {
  type == other || _typeName(type) == _typeName(other)
}

/// Returns whether the name of a type does not identify it, because the type is private or local.
package func isPrivateType(_ type: Any.Type) -> Bool {
  _typeName(type).split(separator: ".").contains { $0.hasPrefix("(") && !$0.hasPrefix(extensionMark) }
}
