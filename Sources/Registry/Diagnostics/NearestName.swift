// What a misspelt name may have been meant to be: the hint in messages about names that nobody has.

extension String {
  /// With how many names one is compared at most: about a millisecond's worth. Of more, any so many are looked at, so that
  /// whoever asks for what is not there again and again does not pay for all that is.
  package static let comparedNames = 1_000

  /// The name among `names` that this one is most likely a misspelling of, if one is near enough.
  ///
  /// Not to be called with a lock held: it may take a millisecond.
  package func nearest(in names: some Sequence<String>) -> String? {
    let own = Spelling(self)
    var limit = Swift.max(1, own.bytes.count / 3)
    var best: String?
    for name in names.prefix(Self.comparedNames) where name != self && name.utf8.count <= own.bytes.count + limit {
      guard let distance = own.distance(to: Spelling(name), atMost: limit) else { continue }
      best = name
      // The next one has to be nearer.
      guard distance > 0 else { break }
      limit = distance - 1
    }
    return best
  }
}

/// A name as it is compared: case does not matter, and what is far too long is cut.
private struct Spelling {
  let bytes: [UInt8]
  /// How often bytes occur that have the same five low bits.
  private var counts: [Int16]

  init(_ name: String) {
    // Code points and not characters, of which one may have any number of marks.
    let start = String(name.unicodeScalars.prefix(200))
    let isASCII = start.utf8.allSatisfy { $0 < 0x80 }
    bytes = isASCII ? start.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } : Array(start.lowercased().utf8)
    counts = [Int16](repeating: 0, count: 32)
    for byte in bytes { counts[Int(byte & 31)] += 1 }
  }

  /// Levenshtein's distance; nil if it is above the limit.
  func distance(to other: Spelling, atMost limit: Int) -> Int? {
    guard abs(bytes.count - other.bytes.count) <= limit, canBeNear(other, limit) else { return nil }
    var (a, b) = (bytes[...], other.bytes[...])
    while let x = a.first, x == b.first { (a, b) = (a.dropFirst(), b.dropFirst()) }
    while let x = a.last, x == b.last { (a, b) = (a.dropLast(), b.dropLast()) }
    if a.isEmpty || b.isEmpty {
      let distance = Swift.max(a.count, b.count)
      return distance <= limit ? distance : nil
    }
    return Self.distance(Array(a), Array(b), atMost: limit)
  }

  /// Whether the bytes alone, in whatever order, are near enough. Most names are told apart here.
  private func canBeNear(_ other: Spelling, _ limit: Int) -> Bool {
    var (missing, surplus) = (0, 0)
    for (own, others) in zip(counts, other.counts) {
      if own > others { missing += Int(own - others) } else { surplus += Int(others - own) }
    }
    return Swift.max(missing, surplus) <= limit
  }

  /// One row of the usual table, and of that what is within the limit of its diagonal. Neither is empty.
  private static func distance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
    let far = limit + 1
    var row = (0...b.count).map { Swift.min($0, far) }
    for i in 1...a.count {
      let from = Swift.max(1, i - limit), to = Swift.min(b.count, i + limit)
      // A limit of zero, and rows beyond the other's end.
      guard from <= to else { return nil }
      var diagonal = row[from - 1]
      row[from - 1] = from == 1 ? Swift.min(i, far) : far
      var least = row[from - 1]
      for j in from...to {
        let substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)
        diagonal = row[j]
        row[j] = Swift.min(substituted, diagonal + 1, row[j - 1] + 1, far)
        least = Swift.min(least, row[j])
      }
      if least > limit { return nil }
    }
    return row[b.count] <= limit ? row[b.count] : nil
  }
}
