/// The names of the types of services and the identifiers of contribution points, to find names
/// that two groups share.
///
/// The first query for the name of a type takes a microsecond. The names are not queried while
/// all types are in the records of one image, where the linker ensures that names are unique.
struct TypeNames {
  /// The number of images that have ever had records with types.
  var imagesWithTypes = 0
  /// A Boolean value that indicates whether a type was added without a record.
  private var hasOthers = false
  private var unnamed: [GroupKey] = []
  private var types: [String: GroupKey] = [:]
  private var points: [String: GroupKey] = [:]
  private var found: [(GroupKey, GroupKey)] = []

  /// Adds the key of a new group.
  mutating func add(_ key: GroupKey, isExported: Bool) {
    if let point = key.point {
      if let known = points.updateValue(key, forKey: point) { found.append((known, key)) }
      return
    }
    unnamed.append(key)
    if !isExported { hasOthers = true }
  }

  /// Returns the pairs with the same name since the last call, the known one first.
  mutating func duplicates() -> [(GroupKey, GroupKey)] {
    if hasOthers || imagesWithTypes > 1 {
      types.reserveCapacity(types.count + unnamed.count)
      for key in unnamed {
        if let known = types.updateValue(key, forKey: _typeName(serviceType(key.type))) { found.append((known, key)) }
      }
      unnamed = []
    }
    defer { found = [] }
    return found
  }
}
