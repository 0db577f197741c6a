// What the accessors of records hand over that are about no type of the user's: a provider, one stored function, of a type of
// this library's. RecordFormat.md has the protocol.

/// What an accessor hands over, if it serves a provider of this type: a frozen struct of one stored function.
///
/// Runs no code of the user's.
package func provided<Provider>(by accessor: RecordAccessor) -> Provider? {
  // A metatype is a pointer to the type's metadata.
  let own = unsafeBitCast(Provider.self as Any.Type, to: UnsafeRawPointer.self)
  var metadata: UnsafeRawPointer?
  guard accessor(&metadata, nil, 0), metadata == own else { return nil }
  let memory = UnsafeMutablePointer<Provider>.allocate(capacity: 1)
  defer { memory.deallocate() }
  let words = UnsafeMutableRawPointer(memory)
  words.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Provider>.size)
  // A function's first word is its code, which is not null: one that says yes and stores nothing is noticed.
  guard accessor(words, own, 0), words.load(as: UInt.self) != 0 else { return nil }
  return memory.move()
}

/// An accessor's answer.
///
/// - Returns: Whether `type` is null or the provider's type; `out` was touched only then.
package func provide<Provider>(
  _ provider: Provider, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  let own = unsafeBitCast(Provider.self as Any.Type, to: UnsafeRawPointer.self)
  guard let type else {
    out.initializeMemory(as: UnsafeRawPointer.self, to: own)
    return true
  }
  guard type == own else { return false }
  out.initializeMemory(as: Provider.self, to: provider)
  return true
}
