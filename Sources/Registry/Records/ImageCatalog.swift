internal import RegistryC

/// An image and what was found in it.
package struct CatalogedImage: Sendable {
  package let image: Image
  package let records: [ExportedRecord]
  /// What is wrong with its bytes.
  package let problems: [Diagnostic]
}

/// The records of every loaded image, read once for the whole process.
///
/// Nothing is read before the first look. A look costs tens of nanoseconds when no image came or went.
package enum ImageCatalog {
  private struct State {
    var generation: UInt64 = 0
    var updates = 0
    var lastSerial: UInt64 = 0
    var batches = 0
    var images: [CatalogedImage] = []
  }

  private static let state = Locked(State())

  /// Changes whenever an image came or went; never zero.
  package static var generation: UInt64 { registry_images_generation() }

  /// The images with records that are loaded now, in load order, and the generation this is the state of.
  package static func look() -> (generation: UInt64, images: [CatalogedImage]) {
    while true {
      let seen = state.withLock { $0 }
      if seen.generation == registry_images_generation() { return (seen.generation, seen.images) }
      // Not under the lock: keeping an image waits for the loader, and the loader may be running a
      // constructor that waits for us.
      guard let update = update(seen) else { return (seen.generation, seen.images) }
      let isFirst = state.withLock { state in
        guard state.updates == seen.updates else { return false }
        state = update
        return true
      }
      if isFirst { return (update.generation, update.images) }
    }
  }

  /// The state after a look for images; nil when memory ran out, and the next look tries again.
  private static func update(_ seen: State) -> State? {
    guard let snapshot = ImageSnapshot(after: seen.lastSerial) else { return nil }
    let present = UnsafeBufferPointer(
      start: snapshot.pointer.pointee.images, count: snapshot.pointer.pointee.image_count)
    let serials = Set(present.lazy.map(\.serial))
    var state = seen
    state.images.removeAll { !serials.contains($0.image.serial) }
    let added = present.filter { $0.serial > seen.lastSerial }.map {
      read($0, batch: seen.batches, owner: snapshot)
    }
    state.images += added
    state.lastSerial = max(seen.lastSerial, serials.max() ?? 0)
    if !added.isEmpty || seen.generation == 0 { state.batches += 1 }
    state.generation = snapshot.pointer.pointee.generation
    state.updates += 1
    return state
  }

  /// Walks the copied bytes of one image.
  private static func read(_ source: registry_image, batch: Int, owner: ImageSnapshot) -> CatalogedImage {
    let image = Image(path: String(cString: source.path), serial: source.serial, batch: batch)
    var records: [ExportedRecord] = []
    var problems: [Diagnostic] = []
    // gold can list one note in two segments; a record is what stands at one address.
    var addresses: Set<UInt> = []
    let sections = UnsafeBufferPointer(start: source.sections, count: source.section_count)
    let mayOverlap = overlap(sections)
    for section in sections {
      let bytes = UnsafeRawBufferPointer(start: section.bytes, count: section.size)
      let holder = RecordSection(image: image, bytes: bytes, owner: owner)
      var walker = registry_walk(section.bytes, section.size, section.alignment)
      var item = registry_item()
      while true {
        let step = registry_walk_next(&walker, &item)
        if step == REGISTRY_STEP_END { break }
        if mayOverlap, !addresses.insert(section.address + UInt(item.offset)).inserted { continue }
        guard step == REGISTRY_STEP_RECORD else {
          let isVersion = step == REGISTRY_STEP_OTHER_VERSION
          problems.append(
            Diagnostic(
              severity: .error, code: isVersion ? .unsupportedVersion : .malformedRecord,
              subject: "record at offset \(item.offset)", image: image, message: String(cString: item.problem)))
          continue
        }
        // Images of Swift code stay mapped: the runtime keeps pointers into them (RecordFormat.md, "Images"). An
        // accessor that is in no image must not be called.
        if let accessor = item.accessor, !registry_image_pin(unsafeBitCast(accessor, to: UnsafeRawPointer.self)) {
          problems.append(
            Diagnostic(
              severity: .error, code: .malformedRecord, subject: "record at offset \(item.offset)", image: image,
              message: "its accessor is in no loaded image, or the image was closed at this moment; it is left out"))
          continue
        }
        let start = item.offset + Int(REGISTRY_HEADER_SIZE)
        records.append(
          ExportedRecord(
            kind: RecordKind(rawValue: item.kind), section: holder, json: start..<(start + item.json_size),
            accessor: item.accessor))
      }
    }
    return CatalogedImage(image: image, records: records, problems: problems)
  }

  private static func overlap(_ sections: UnsafeBufferPointer<registry_section>) -> Bool {
    let byAddress = sections.sorted { $0.address < $1.address }
    return zip(byAddress, byAddress.dropFirst()).contains { $0.address + UInt($0.size) > $1.address }
  }
}
