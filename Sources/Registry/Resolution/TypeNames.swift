/// The names of the services' types, to find two that are called the same.
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

  /// Pairs of types that have one name, each told once: the one that was known, and the one that came.
  mutating func twins() -> [(TypeKey, TypeKey)] {
    guard !unnamed.isEmpty, hasOthers || imagesWithTypes > 1 else { return [] }
    var twins: [(TypeKey, TypeKey)] = []
    for key in unnamed {
      if let twin = types.updateValue(key, forKey: _typeName(serviceType(key))) { twins.append((twin, key)) }
    }
    unnamed = []
    return twins
  }
}

/// A key is a type's metadata, and a metatype a pointer to that.
func serviceType(_ key: TypeKey) -> Any.Type { unsafeBitCast(key, to: Any.Type.self) }
