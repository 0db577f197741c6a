// Records of event handlers, routes, and actions export no type of the user. Their accessors
// provide a structure of this package that has one stored function; see RecordFormat.md,
// "Accessor".

/// Returns the provider of a record, or nil if its accessor serves another type.
///
/// The provider is a frozen structure with one stored function. The call runs no user code.
package func provided<Provider>(by accessor: RecordAccessor) -> Provider? {
  // A metatype is a pointer to the type's metadata.
  let own = unsafeBitCast(Provider.self as Any.Type, to: UnsafeRawPointer.self)
  var metadata: UnsafeRawPointer?
  guard accessor(&metadata, nil, 0), metadata == own else { return nil }
  let memory = UnsafeMutablePointer<Provider>.allocate(capacity: 1)
  defer { memory.deallocate() }
  let words = UnsafeMutableRawPointer(memory)
  words.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Provider>.size)
  // The first word of a function is the address of its code, which is never null. So this check
  // detects an accessor that returns true and stores nothing.
  guard accessor(words, own, 0), words.load(as: UInt.self) != 0 else { return nil }
  return memory.move()
}

/// Implements the accessor of a record that exports a provider.
///
/// - Returns: True if `type` is null or the provider's type. Otherwise, the function does not write
///   to `out`.
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

/// Reads a record by calling its provider's function, which runs code of the client.
///
/// - Returns: The object that the function received, or nil if another actor must call it.
package func readRecord<Collector>(_ list: @escaping @isolated(any) (Collector) -> Void, into collector: Collector)
  -> Collector?
{
  guard list.isolation?.isCurrent ?? true else { return nil }
  withoutIsolation(list)(collector)
  return collector
}

/// Reads a record by calling its provider's function, which runs code of the client on its actor.
package nonisolated(nonsending) func readRecordOnActor<Collector: Sendable>(
  _ list: @escaping @isolated(any) (Collector) -> Void, into collector: Collector
) async -> Collector {
  await list(collector)
  return collector
}
