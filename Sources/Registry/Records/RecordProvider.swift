// Swift records of handlers, routes, actions, and contributions provide a structure with one stored
// function, the provider, instead of a user's type; see "Accessor" in RecordFormat.md.

/// Returns the provider of a record, or nil if the accessor provides none of this type. Runs no
/// user code.
package func provided<Provider>(by accessor: RecordAccessor) -> Provider? {
  let own = typeKey(Provider.self)
  guard answer(of: accessor) == own else { return nil }
  let memory = UnsafeMutablePointer<Provider>.allocate(capacity: 1)
  defer { memory.deallocate() }
  let words = UnsafeMutableRawPointer(memory)
  words.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Provider>.size)
  // The first word of a function is the address of the code, which is never null. Zero means that
  // the accessor returned true but stored nothing.
  guard accessor(words, own, 0), words.load(as: UInt.self) != 0 else { return nil }
  return memory.move()
}

extension ExportedRecord {
  /// A Boolean value that indicates whether the record belongs to code whose `@available` excludes
  /// this system.
  package var isUnavailable: Bool {
    var metadata: TypeKey?
    return accessor.map { !$0(&metadata, nil, 0) } ?? false
  }
}

/// Implements the accessor of a record that exports a provider.
///
/// - Parameter served: The type that identifies the provider; by default, its own type.
/// - Returns: True if `type` is null or identifies the provider. Otherwise, the function doesn't
///   write to `out`.
package func provide<Provider>(
  _ provider: Provider, as served: Any.Type = Provider.self, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  if answer(nil, with: served, out, type) { return true }
  guard type == typeKey(served) else { return false }
  out.initializeMemory(as: Provider.self, to: provider)
  return true
}

/// Implements the part of an accessor that returns a type.
///
/// - Parameter request: The type that identifies the request, which `type` must equal; nil for a
///   null `type`.
/// - Returns: True if `type` is the request. Otherwise, the function doesn't write to `out`.
func answer(
  _ request: Any.Type?, with answer: Any.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  guard type == request.map(typeKey) else { return false }
  out.initializeMemory(as: TypeKey.self, to: typeKey(answer))
  return true
}

func answer(of accessor: RecordAccessor, to request: Any.Type? = nil) -> TypeKey? {
  var key: TypeKey?
  return accessor(&key, request.map(typeKey), 0) ? key : nil
}

/// The address of a type's metadata, which identifies the type in a process.
typealias TypeKey = UnsafeRawPointer

// A metatype is a pointer to the type's metadata.
func typeKey(_ type: Any.Type) -> TypeKey { unsafeBitCast(type, to: TypeKey.self) }

func serviceType(_ key: TypeKey) -> Any.Type { unsafeBitCast(key, to: Any.Type.self) }

/// Reads a record by calling the provider's function, which runs user code.
///
/// - Returns: The collector, or nil if the function must be called on another actor.
package func readRecord<Collector>(_ list: @escaping @isolated(any) (Collector) -> Void, into collector: Collector)
  -> Collector?
{
  guard list.isolation?.isCurrent ?? true else { return nil }
  // `withoutIsolation` returns a function that can throw, but this one never does.
  try? withoutIsolation(list)(collector)
  return collector
}

/// Reads a record by calling the provider's function on the function's actor.
package nonisolated(nonsending) func readRecordOnActor<Collector: Sendable>(
  _ list: @escaping @isolated(any) (Collector) -> Void, into collector: Collector
) async -> Collector {
  await list(collector)
  return collector
}
