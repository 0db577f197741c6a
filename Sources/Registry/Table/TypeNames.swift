internal import RegistryC

/// The names of service types and contribution points, used to find groups that share a name.
///
/// The first query for a type's name takes a microsecond. If all types are in one image's records,
/// the linker ensures unique names, so this structure queries no names. Otherwise, it queries the
/// names of types that aren't protocols, and of protocols that share an unqualified name.
struct TypeNames {
  var imagesWithTypes = 0
  /// A Boolean value that indicates whether a type was added without a record.
  private var hasOthers = false
  private var unnamed: [GroupKey] = []
  /// The types by full name, one protocol for each unqualified name, and the points by identifier.
  ///
  /// A quotation mark precedes each identifier, because no type's name begins with one.
  private var names = NameTable()
  private var keys: [GroupKey] = []
  private var found: [(GroupKey, GroupKey)] = []

  mutating func add(_ key: GroupKey, isExported: Bool) {
    if let point = key.point {
      if let known = update("\"\(point)", key) { found.append((known, key)) }
      return
    }
    unnamed.append(key)
    if !isExported { hasOthers = true }
  }

  /// Returns the new pairs of groups with the same name, each with the earlier group first.
  mutating func duplicates() -> [(GroupKey, GroupKey)] {
    if hasOthers || imagesWithTypes > 1 {
      for key in unnamed {
        if let name = registry_protocol_name(key.type) {
          guard let known = update(String(cString: name), key) else { continue }
          addFullName(of: known)
        }
        addFullName(of: key)
      }
      unnamed = []
    }
    defer { found = [] }
    return found
  }

  /// Sets the key of a name, and returns the earlier one.
  private mutating func update(_ name: String, _ key: GroupKey) -> GroupKey? {
    guard let position = names.add(HashedName(name)) else {
      keys.append(key)
      return nil
    }
    defer { keys[position] = key }
    return keys[position]
  }

  @inline(never)
  private mutating func addFullName(of key: GroupKey) {
    let known = update(_typeName(serviceType(key.type)), key)
    if let known, known != key { found.append((known, key)) }
  }
}
