import Lifecycle
import Registry

/// A check for records of objects and archives that none of the linked images contains.
///
/// A linker omits a member of a static archive that nothing refers to, and its records with it.
enum UnlinkedRecords {
  /// Checks the images and objects of one architecture.
  ///
  /// - Parameter isProblem: True if they are all in one process, so that an omitted archive member
  ///   is a problem and not a note. A build folder also contains loose objects of other products.
  static func check(_ images: [InspectedImage], isProblem: Bool, _ list: ProblemList) {
    let (objects, others) = (images.filter(\.isObject), images.filter { !$0.isObject })
    if objects.isEmpty || others.isEmpty { return }
    let linked = Set(ImageRecord.all(in: others).lazy.compactMap(\.identity))
    // An absent need cannot fail at run time.
    for placed in ImageRecord.all(in: objects) where placed.record.kind != .need {
      guard let identity = placed.identity, !linked.contains(identity) else { continue }
      list.add(
        .missing, isProblem && placed.image.member != nil ? .problem : .note, of: placed, subject: identity.description,
        "the object contains this record, but no linked file does; \(fix(placed.image)), or, if it belongs to another"
          + " process, do not pass it together with these files")
    }
  }

  private static func fix(_ image: InspectedImage) -> String {
    guard image.member != nil else { return "link the object" }
    let archive = image.path.escapedForDisplay(limit: 1_000)
    let option =
      image.header.format == .machO
      ? "-Wl,-force_load,\(archive)" : "-Wl,--whole-archive \(archive) -Wl,--no-whole-archive"
    return "the linker omits a member of an archive that nothing refers to, so link the archive with '\(option)'"
  }
}
