// Suggestions for messages about unknown names: known names with a similar spelling.

extension String {
  /// The maximum number of names to compare. Comparing this many takes about a millisecond.
  ///
  /// If there are more names, only the first ones in the sequence are compared, so that repeated
  /// lookups of a missing name don't cost more in a large app.
  package static let comparedNames = 1_000

  /// Returns the name that this string most likely misspells, or nil if none is similar enough.
  ///
  /// `Cart` matches a name such as `Shop.Cart` if there is only one, because code often omits the
  /// target. In debug builds, `Shop.Cart` likewise matches a name such as `Shop.Screen.Cart`,
  /// because code often omits the enclosing type. Don't call this method with a lock held, because
  /// it can take a millisecond.
  @_semantics("optimize.sil.specialize.generic.never")
  package func nearest(in names: some Sequence<String>) -> String? {
    #if DEBUG
    let names = Array(names.prefix(Self.comparedNames))
    #else
    let names = names.prefix(Self.comparedNames)
    #endif
    if let qualified = onlyName(in: names) { return qualified }
    let own = Spelling(self)
    var limit = own.limit
    var best: String?
    for name in names where name != self && name.utf8.count <= own.bytes.count + limit {
      guard let distance = own.distance(to: Spelling(name), atMost: limit) else { continue }
      // The order of a set's names differs in each process.
      if distance == limit, let best, best < name { continue }
      (best, limit) = (name, distance)
    }
    return best
  }

  /// Returns the number of typing errors that turn a name into this string, or nil for too many
  /// errors.
  package func typingErrors(for name: String) -> Int? {
    let own = Spelling(self)
    return own.distance(to: Spelling(name), atMost: own.limit)
  }

  /// Returns the end of a message that suggests the nearest name, or an empty string.
  @_semantics("optimize.sil.specialize.generic.never")
  package func suggestion(in names: some Sequence<String>) -> String {
    nearest(in: names).map { "; did you mean \($0.quotedForDisplay())?" } ?? ""
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func onlyName(in names: some Sequence<String>) -> String? {
    #if DEBUG
    let dot = utf8.lastIndex(of: UInt8(ascii: "."))
    let start = dot.map { self[...$0] } ?? ""
    let end = dot.map { String(self[utf8.index(after: $0)...]) } ?? self
    #else
    guard !utf8.contains(UInt8(ascii: ".")) else { return nil }
    let (start, end) = ("", self)
    #endif
    guard !end.isEmpty else { return nil }
    var found: String?
    for name in names where name.utf8.count > utf8.count && name.hasPrefix(start) && name.hasSuffix(end) {
      guard name.utf8.dropLast(end.utf8.count).last == UInt8(ascii: ".") else { continue }
      if found != nil { return nil }
      found = name
    }
    return found
  }
}

/// A name prepared for comparison: in lowercase, and truncated to 200 bytes.
private struct Spelling {
  private(set) var bytes: [UInt8] = []
  var limit: Int { Swift.max(1, bytes.count / 3) }
  /// The number of bytes in the name, indexed by the five low bits of the bytes.
  private var counts = [Int16](repeating: 0, count: 32)

  init(_ name: String) {
    // Truncate by bytes: one character can have any number of combining marks.
    for byte in name.lowercased().utf8 {
      if bytes.count == 200 { break }
      bytes.append(byte)
      counts[Int(byte & 31)] += 1
    }
  }

  func distance(to other: Spelling, atMost limit: Int) -> Int? {
    guard abs(bytes.count - other.bytes.count) <= limit, canBeNear(other, limit) else { return nil }
    if bytes.isEmpty || other.bytes.isEmpty { return Swift.max(bytes.count, other.bytes.count) }
    return Self.distance(bytes, other.bytes, atMost: limit)
  }

  /// Returns false if the byte counts alone show that the distance exceeds a limit.
  private func canBeNear(_ other: Spelling, _ limit: Int) -> Bool {
    var (missing, surplus) = (0, 0)
    for (own, others) in zip(counts, other.counts) {
      if own > others { missing += Int(own - others) } else { surplus += Int(others - own) }
    }
    return Swift.max(missing, surplus) <= limit
  }

  /// Returns the Levenshtein distance of two nonempty arrays, or nil if it exceeds a limit.
  ///
  /// Keeps one row of the usual table, and computes only cells within `limit` of the diagonal.
  private static func distance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
    let far = limit + 1
    var row = (0...b.count).map { Swift.min($0, far) }
    for i in 1...a.count {
      let from = Swift.max(1, i - limit), to = Swift.min(b.count, i + limit)
      // The range isn't empty if the lengths differ by at most `limit`, as the caller ensures.
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
