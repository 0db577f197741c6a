import Registry

/// A check for registrations that differ between the slices of a universal file.
enum SliceCheck {
  static func check(_ images: [InspectedImage], _ list: ProblemList) {
    for file in images.grouped(by: \.path) {
      let slices = file.grouped(by: \.header.architecture)
      guard slices.count > 1 else { continue }
      // The counts of each record by slice index. Use a dictionary, because a file can have a
      // thousand slices.
      var counts: [[String]: [Int: Int]] = [:]
      for (index, slice) in slices.enumerated() {
        for record in slice.lazy.flatMap(\.records) {
          let key = [record.kind.description, record.attributesWithoutLocation, "\(record.hasAccessor)"]
          counts[key, default: [:]][index, default: 0] += 1
        }
      }
      let different = counts.filter { $1.count < slices.count || Set($1.values).count > 1 }
      for (key, counts) in different.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        let most = counts.values.max() ?? 0
        func names(_ isWanted: (Int) -> Bool) -> String {
          // Name at most twenty slices, because a damaged file can have a thousand slices.
          slices.indices.filter { isWanted(counts[$0] ?? 0) }.map { slices[$0][0].header.architecture }
            .quotedList("and", limit: 20)
        }
        list.add(
          .sliceMismatch, file: file[0].path, subject: "\(key[0]) \(key[1])",
          "the file registers it \(most > 1 ? "more often " : "")for \(names { $0 == most })"
            + (most > 1 ? " than" : ", but not") + " for \(names { $0 < most })")
      }
    }
  }
}
