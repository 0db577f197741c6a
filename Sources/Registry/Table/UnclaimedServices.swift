/// The implementations that C records and manifests name, for services that no code has used.
struct UnclaimedServices: ~Copyable {
  private typealias Recorded = (record: ExportedRecord, order: Int)

  /// The records of services whose only implementation is one C record, by service name. Most of
  /// these services are never looked up, so their entries are created on demand.
  private var recorded: [NameBytes: Recorded]
  private var entries: [String: [ServiceEntry]]

  init() { (recorded, entries) = ([:], [:]) }

  var all: [String: [ServiceEntry]] {
    mutating get {
      let all = recorded
      recorded = [:]
      for only in all.values { add(Self.entry(only)) }
      return entries
    }
    set { (recorded, entries) = ([:], newValue) }
  }

  mutating func reserveCapacity(forMore count: Int) {
    // Reserving memory for every small image would grow the dictionary by a few services each time.
    if count > recorded.count { recorded.reserveCapacity(recorded.count + count) }
  }

  /// Adds a C record with valid attributes.
  mutating func add(_ record: ExportedRecord, service: JSONText, order: Int) {
    guard let bytes = service.bytes, entries.isEmpty || entries[service.string] == nil else {
      return add(Self.entry((record, order)))
    }
    let name = NameBytes(bytes)
    guard let first = recorded.updateValue((record, order), forKey: name) else { return }
    // The service now has two records, so create the entries of both.
    recorded[name] = nil
    add(Self.entry(first))
    add(Self.entry((record, order)))
  }

  mutating func add(_ entry: ServiceEntry) {
    createEntry(entry.service)
    entries[entry.service, default: []].append(entry)
  }

  mutating func remove(_ name: String) -> [ServiceEntry] {
    createEntry(name)
    return entries.removeValue(forKey: name) ?? []
  }

  mutating func remove(_ entry: ServiceEntry) -> [ServiceEntry] {
    createEntry(entry.service)
    // The entries are sorted by `rank.order`.
    let found = entries[entry.service].flatMap { entries -> (index: Int, own: ServiceEntry)? in
      let index = entries.firstIndex(after: { $0.rank.order < entry.rank.order })
      return index < entries.count ? (index, entries[index]) : nil
    }
    guard let (index, own) = found, own === entry || own.original === entry else { return [] }
    entries[entry.service]?.remove(at: index)
    if entries[entry.service]?.isEmpty == true { entries[entry.service] = nil }
    own.withdraw()
    return [own]
  }

  mutating func remove(_ name: String, where isRemoved: (ServiceEntry) -> Bool) -> [ServiceEntry] {
    createEntry(name)
    guard let all = entries[name] else { return [] }
    let rest = all.filter { !isRemoved($0) }
    entries[name] = rest.isEmpty ? nil : rest
    let removed = all.filter(isRemoved)
    for entry in removed { entry.withdraw() }
    return removed
  }

  /// Creates the entry of a service's only record, if there is one.
  private mutating func createEntry(_ name: String) {
    if recorded.isEmpty { return }
    var text = name
    let only = text.withUTF8 { recorded.removeValue(forKey: NameBytes(UnsafeRawBufferPointer($0))) }
    if let only { entries[name] = [Self.entry(only)] }
  }

  private static func entry(_ recorded: Recorded) -> ServiceEntry {
    var attributes = ServiceAttributes()
    try? attributes.read(recorded.record)
    return ServiceEntry(recorded.record, attributes, .named, order: recorded.order)
  }
}
