/// A manager's groups, by key and by service name.
// Noncopyable and not inlined, because copies of the code in each lookup would add kilobytes.
package struct ServiceGroups: ~Copyable {
  /// All groups, in the order in which they were created. Groups are never removed.
  package private(set) var all: [ServiceGroup] = []
  private var keys = HashIndex()
  /// The first group with each name among the services that code has used. It gets the
  /// implementations that are exported or registered by name.
  private var claimed = HashIndex()

  package subscript(key: GroupKey) -> ServiceGroup? {
    @inline(never) get { keys.first(key.hash) { all[$0].key == key }.map { all[$0] } }
  }

  @inline(never)
  mutating func reserveCapacity(forMore count: Int) {
    // Reserving memory for every small image would grow the array by a few groups each time.
    guard count > all.count else { return }
    all.reserveCapacity(all.count + count)
    keys.reserveCapacity(all.count + count)
  }

  @inline(never)
  mutating func add(_ group: ServiceGroup) {
    keys.insert(all.count, group.key.hash)
    all.append(group)
  }

  @inline(never)
  mutating func claim(_ group: ServiceGroup, _ name: String) {
    if claimed(name) != nil { return }
    let position = keys.first(group.key.hash) { all[$0] === group }
    if let position { claimed.insert(position, HashedName(name).hash) }
  }

  var hasClaimed: Bool { !claimed.isEmpty }

  @inline(never)
  func claimed(_ name: String) -> ServiceGroup? {
    // A name takes a microsecond, so it's compared only if the hashes are equal.
    claimed.first(HashedName(name).hash) { all[$0].key.typeName == name }.map { all[$0] }
  }

  /// Returns the groups with a copy of each one.
  func copied(_ copy: (ServiceGroup) -> ServiceGroup) -> ServiceGroups {
    var copies = ServiceGroups()
    (copies.all, copies.keys, copies.claimed) = (all.map(copy), keys, claimed)
    return copies
  }
}
