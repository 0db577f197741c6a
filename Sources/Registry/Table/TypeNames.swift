/// The names of the types of services, to find different types with the same name.
///
/// The first query for the name of a type takes a microsecond. So the names are not queried as long
/// as all types are in the records of one image, where the linker ensures that names are unique.
struct TypeNames {
  /// The number of images that have ever had records with types.
  var imagesWithTypes = 0
  /// A Boolean value that indicates whether a type was added without a record.
  private var hasOthers = false
  private var unnamed: [TypeKey] = []
  private var types: [String: TypeKey] = [:]

  /// Adds a new type.
  mutating func add(_ key: TypeKey, isExported: Bool) {
    unnamed.append(key)
    if !isExported { hasOthers = true }
  }

  /// Returns the pairs of types with the same name since the last call, the known type first.
  mutating func duplicates() -> [(TypeKey, TypeKey)] {
    guard !unnamed.isEmpty, hasOthers || imagesWithTypes > 1 else { return [] }
    var duplicates: [(TypeKey, TypeKey)] = []
    types.reserveCapacity(types.count + unnamed.count)
    for key in unnamed {
      if let known = types.updateValue(key, forKey: _typeName(serviceType(key))) { duplicates.append((known, key)) }
    }
    unnamed = []
    return duplicates
  }
}

/// Returns the type with a key. A key is the address of the type's metadata, which a metatype
/// points to.
func serviceType(_ key: TypeKey) -> Any.Type { unsafeBitCast(key, to: Any.Type.self) }
