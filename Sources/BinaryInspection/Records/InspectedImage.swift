import Registry

/// A binary for one architecture: a thin file, a slice of a universal file, or an archive member.
package struct InspectedImage: Sendable, Equatable {
  /// The path of the file, even if the caller passed its folder.
  package var path: String
  /// The name of the member in an archive, such as `"Cart.o"`; nil outside archives.
  package var member: String?
  /// The name in messages: the path, followed by any slice and member.
  package var name: String
  package var start: UInt64
  package var header: ImageHeader
  /// The records in section order, and within each section, in file order.
  package var records: [InspectedRecord]
  package var hasLibrary: Bool
  package var linkage: Linkage

  /// Returns all images with only their ungrouped records and then, for each group, the images that
  /// have records in the group, with only those records. Managers usually read only one group, so
  /// groups are checked separately.
  static func byGroup(_ images: [InspectedImage]) -> [(group: String?, images: [InspectedImage])] {
    guard images.contains(where: { $0.records.contains(where: \.isGrouped) }) else { return [(nil, images)] }
    var ungrouped: [InspectedImage] = []
    var groups: [String: [InspectedImage]] = [:]
    for var image in images {
      let records = Dictionary(grouping: image.records, by: \.group)
      image.records = records[nil] ?? []
      ungrouped.append(image)
      for case (let group?, let records) in records {
        image.records = records
        groups[group, default: []].append(image)
      }
    }
    return [(nil, ungrouped)] + groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A Boolean value that indicates whether a process can load the image.
  var isLinked: Bool { !header.isObject && member == nil }
  var isExecutable: Bool { isLinked && header.type == .executable }
  var hasNeeds: Bool { records.contains { $0.kind == .need && !$0.isMalformed } }
}
