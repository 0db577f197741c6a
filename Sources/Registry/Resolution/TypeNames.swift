/// The names of the services' types, for finding different types with the same name.
///
/// To ask for a type's name the first time takes a microsecond. So it is not done as long as all types are in one image's
/// records: the linker sees to it that they have names of their own.
struct TypeNames {
  /// How many images ever had records of types.
  var imagesWithTypes = 0
  /// Whether there are types that came without a record.
  private var hasOthers = false
  private var unnamed: [TypeKey] = []
  private var types: [String: TypeKey] = [:]

  /// Adds a type that was not added before.
  mutating func add(_ key: TypeKey, isExported: Bool) {
    unnamed.append(key)
    if !isExported { hasOthers = true }
  }

  /// Returns the pairs of types with the same name since the last call, the known type first.
  mutating func duplicates() -> [(TypeKey, TypeKey)] {
    guard !unnamed.isEmpty, hasOthers || imagesWithTypes > 1 else { return [] }
    var duplicates: [(TypeKey, TypeKey)] = []
    for key in unnamed {
      if let known = types.updateValue(key, forKey: _typeName(serviceType(key))) { duplicates.append((known, key)) }
    }
    unnamed = []
    return duplicates
  }
}

/// A key is a type's metadata, and a metatype a pointer to that.
func serviceType(_ key: TypeKey) -> Any.Type { unsafeBitCast(key, to: Any.Type.self) }
