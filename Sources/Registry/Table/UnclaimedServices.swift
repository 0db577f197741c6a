/// The implementations that C records and manifests name, for services that no code has used.
struct UnclaimedServices: ~Copyable {
  private struct Recorded {
    let record: ExportedRecord
    let order: Int
    /// The name of the service in the record's JSON, which the record keeps alive.
    let name: UnsafeRawBufferPointer
    let hash: UInt32
  }

  /// The records of services whose only implementation is one C record, by service name. Most of
  /// these services are never looked up, so their entries are created on demand.
  private var recorded: [Recorded]
  private var index: HashIndex
  private var entries: [String: [ServiceEntry]]

  /// The entries that exist already.
  var created: [ServiceEntry] { entries.values.flatMap { $0 } }

  init() { (recorded, index, entries) = ([], HashIndex(), [:]) }

  var all: [String: [ServiceEntry]] {
    mutating get {
      let all = recorded
      (recorded, index) = ([], HashIndex())
      for only in all { add(Self.entry(only)) }
      return entries
    }
    set { (recorded, index, entries) = ([], HashIndex(), newValue) }
  }

  mutating func reserveCapacity(forMore count: Int) {
    // Reserving memory for every small image would grow the array by a few services each time.
    guard count > recorded.count else { return }
    recorded.reserveCapacity(recorded.count + count)
    index.reserveCapacity(recorded.count + count)
  }

  /// Adds a C record with valid attributes.
  mutating func add(_ record: ExportedRecord, service: JSONText, order: Int) {
    let name = service.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    let new = Recorded(record: record, order: order, name: name, hash: HashIndex.hash(name))
    guard service.bytes != nil, entries.isEmpty || entries[service.string] == nil else { return add(Self.entry(new)) }
    if let first = remove(name, new.hash) {
      // The service now has two records, so create the entries of both.
      add(Self.entry(first))
      return add(Self.entry(new))
    }
    index.insert(recorded.count, new.hash)
    recorded.append(new)
  }

  private mutating func remove(_ name: UnsafeRawBufferPointer, _ hash: UInt32) -> Recorded? {
    guard let position = index.first(hash, where: { recorded[$0].name.isSame(as: name) }) else { return nil }
    let found = recorded[position]
    index.remove(position, hash)
    let last = recorded.removeLast()
    if position < recorded.count {
      index.move(recorded.count, to: position, last.hash)
      recorded[position] = last
    }
    return found
  }

  mutating func add(_ entry: ServiceEntry) {
    createEntry(entry.service)
    entries[entry.service, default: []].append(entry)
  }

  mutating func remove(_ name: String) -> [ServiceEntry] {
    // Usually there's only one record, and no dictionary is needed.
    if let only = removeRecord(name) { return [Self.entry(only)] }
    return entries.isEmpty ? [] : entries.removeValue(forKey: name) ?? []
  }

  mutating func remove(_ entry: ServiceEntry) -> [ServiceEntry] {
    var list = remove(entry.service)
    defer { if !list.isEmpty { entries[entry.service] = list } }
    // The entries are sorted by `rank.order`.
    let index = list.firstIndex(after: { $0.rank.order < entry.rank.order })
    guard index < list.count, list[index] === entry || list[index].original === entry else { return [] }
    list[index].withdraw()
    return [list.remove(at: index)]
  }

  mutating func remove(
    ofImages serials: Set<UInt64>, where isRemoved: (ServiceEntry) -> Bool
  ) -> [ServiceEntry] {
    for only in recorded where serials.contains(only.record.image.serial) {
      createEntry(String(decoding: only.name, as: UTF8.self))
    }
    let removed = created.filter(isRemoved)
    for entry in removed { entry.withdraw() }
    for service in Set(of: removed.map(\.service)) {
      let rest = entries[service]?.filter(\.isRegistered) ?? []
      entries[service] = rest.isEmpty ? nil : rest
    }
    return removed
  }

  /// Creates the entry of a service's only record, if there is one.
  private mutating func createEntry(_ name: String) {
    if let only = removeRecord(name) { entries[name] = [Self.entry(only)] }
  }

  private mutating func removeRecord(_ name: String) -> Recorded? {
    if recorded.isEmpty { return nil }
    var text = name
    return text.withUTF8 { text in
      let bytes = UnsafeRawBufferPointer(text)
      return remove(bytes, HashIndex.hash(bytes))
    }
  }

  private static func entry(_ recorded: Recorded) -> ServiceEntry {
    var attributes = ServiceAttributes()
    try? attributes.read(recorded.record)
    return ServiceEntry(recorded.record, attributes, .named, order: recorded.order)
  }
}
