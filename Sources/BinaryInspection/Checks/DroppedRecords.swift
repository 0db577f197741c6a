import Lifecycle
import Registry

/// A check for records that objects contain, but no linked image does.
///
/// If no code refers to a member of a static archive, the linker omits the member and its records.
/// The check searches all linked images of a family for each record. One match is enough, because
/// several objects can contain the record, such as a prelinked object and its parts, or the objects
/// of two builds.
struct DroppedRecords {
  private let linked: [[String]: [InspectedImage]]
  private let found: [[String]: Set<RecordIdentity>]
  private let list: ProblemList

  init(_ images: [InspectedImage], _ list: ProblemList) {
    linked = Dictionary(grouping: images.lazy.filter { !$0.header.isObject }, by: \.header.family)
    found = linked.mapValues { Set(ImageRecord.all(in: $0).lazy.compactMap(\.identity)) }
    self.list = list
  }

  /// Reports each object that has records missing from all linked images of its family, unless the
  /// family has no linked images. Returns the number of records in all objects, without needs.
  @discardableResult
  func check(_ objects: [InspectedImage], areRequired: (InspectedImage) -> Bool = { _ in true }) -> Int {
    var total = 0
    for object in objects where object.header.isObject {
      let found = found[object.header.family]
      var (all, dropped) = (0, 0)
      // Keep only the records that the message names, because an object can have many records.
      var named: [ImageRecord] = []
      // Skip needs, because a missing need can't cause a failure at run time.
      for placed in ImageRecord.all(in: [object]) where placed.record.kind != .need {
        all += 1
        guard let found, let identity = placed.identity, !found.contains(identity) else { continue }
        dropped += 1
        if named.count < 3 { named.append(placed) }
      }
      total += all
      if dropped == 0 { continue }
      let names = named.compactMap { $0.identity?.description }.joined(separator: ", ")
      list.add(
        .droppedRecord, areRequired(object) ? .problem : .note, file: object.name, path: object.path,
        subject: dropped > named.count ? "\(names), and \(dropped - named.count) more" : names,
        location: named[0].record.location, text(of: object, dropped, isComplete: dropped == all))
    }
    return total
  }

  /// Reports records that the given objects and archives contain, but the linked images don't.
  func check(builtFrom paths: [String], areOwn: Bool) {
    guard !paths.isEmpty else { return }
    guard !linked.isEmpty else {
      return list.add(
        .nothingSelected, .unreadable, file: paths[0],
        "no linked file can contain these objects; also pass the executable or the library that is built from them")
    }
    var (isEmpty, isUnread) = (true, false)
    for path in paths {
      let inspection = Inspection(of: [path], readsClasses: false)
      for problem in inspection.problems { list.add(problem, path: path) }
      isUnread = isUnread || inspection.problems.contains { $0.code == .unsupportedFile }
      let families = inspection.images.lazy.filter(\.header.isObject).map(\.header.family)
      if let first = families.first, !families.contains(where: { linked[$0] != nil }) {
        list.add(
          .architectureNotFound, .unreadable, file: path,
          "the objects are for \(Self.names([first])), but the linked files are for \(Self.names(linked.keys)); pass the"
            + " objects of the same build")
      }
      if check(inspection.images) > 0 || inspection.problems.contains(where: { $0.severity == .unreadable }) {
        isEmpty = false
      }
    }
    if isUnread {
      // The skipped objects, such as LTO objects, could contain records.
      list.add(
        .nothingSelected, areOwn ? .unreadable : .note, file: paths[0],
        "objects of '--built-from' cannot be read, so their records are not compared; pass objects with machine code")
    } else if isEmpty, areOwn {
      list.add(
        .nothingSelected, .note, file: paths[0],
        "no file of '--built-from' is an object with records, so nothing is compared; pass the objects or archives of"
          + " the features")
    }
  }

  private static func names(_ families: some Sequence<[String]>) -> String {
    // Mach-O objects for a device and for its simulator differ only in the platform number.
    families.map { "\($0[0]) \($0[1])\($0[2].isEmpty ? "" : ", platform \($0[2])")" }.sorted().quotedList("and")
  }

  private func text(of object: InspectedImage, _ count: Int, isComplete: Bool) -> String {
    let images = linked[object.header.family] ?? []
    let lack =
      "\(images.map(\.name).quotedList("and", limit: 3)) \(images.count == 1 ? "lacks" : "lack")"
      + " \(count == 1 ? "this record" : "these records")"
    guard isComplete else {
      return "\(lack), but not all records of the object, so it was compiled after the link, or an option removed"
        + " records; link again, or remove the option"
    }
    guard object.member != nil else { return "\(lack) of the object; add the object to the link" }
    let archive = object.path.escapedForDisplay(limit: 1_000)
    let option =
      object.header.format == .machO
      ? "-Wl,-force_load,\(archive)" : "-Wl,--whole-archive \(archive) -Wl,--no-whole-archive"
    return "\(lack), because a linker omits members of an archive that nothing refers to; link the archive with"
      + " '\(option)', or make it an object library ('OBJECT' in CMake)"
  }
}
