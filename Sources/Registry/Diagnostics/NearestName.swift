// Suggestions for messages about unknown names: known names with a similar spelling.

extension String {
  /// The maximum number of names to compare. Comparing this many takes about a millisecond.
  ///
  /// If there are more names, only the first ones in the sequence are compared, so that repeated
  /// lookups of a missing name don't cost more in a large app.
  package static let comparedNames = 1_000

  /// Returns the name that this string most likely misspells, or nil if none is similar enough.
  ///
  /// `Cart` and `Screen.Cart` match a name such as `Shop.Screen.Cart` if there is only one, because
  /// code often omits the target. `Shop.Cart` likewise matches it, because code often omits the
  /// enclosing type. Don't call this method with a lock held, because it can take a
  /// millisecond.
  @_semantics("optimize.sil.specialize.generic.never")
  package func nearest(in names: some Sequence<String>) -> String? {
    let names = Array(names.prefix(Self.comparedNames))
    return onlyName(in: names) ?? mostSimilar(in: names)
  }

  /// Returns the name with the fewest typing errors, or nil if each has too many.
  @_semantics("optimize.sil.specialize.generic.never")
  package func mostSimilar(in names: some Sequence<String>) -> String? {
    let own = Spelling(self)
    var limit = own.limit
    var best: String?
    for name in names.prefix(Self.comparedNames) where name != self && name.utf8.count <= own.bytes.count + limit {
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

  private func onlyName(in names: [String]) -> String? {
    let dot = utf8.lastIndex(of: UInt8(ascii: "."))
    let start = dot.map { self[...$0] } ?? ""
    let end = dot.map { String(self[utf8.index(after: $0)...]) } ?? self
    guard !end.isEmpty else { return nil }
    let (whole, last) = (".\(self)", ".\(end)")
    var found: String?
    for name in names where name.hasSuffix(whole) || name.hasPrefix(start) && name.hasSuffix(last) {
      if name == self { continue }
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

  init(_ name: String) {
    // Truncate by bytes: one character can have any number of combining marks.
    for byte in name.lowercased().utf8 {
      if bytes.count == 200 { break }
      bytes.append(byte)
    }
  }

  /// Returns the Levenshtein distance to another name, or nil if it exceeds a limit.
  ///
  /// Keeps one row of the usual table, and computes only cells within `limit` of the diagonal.
  func distance(to other: Spelling, atMost limit: Int) -> Int? {
    let (a, b, far) = (bytes, other.bytes, limit + 1)
    guard abs(a.count - b.count) <= limit else { return nil }
    if a.isEmpty || b.isEmpty { return Swift.max(a.count, b.count) }
    var row = (0...b.count).map { Swift.min($0, far) }
    for i in 1...a.count {
      let from = Swift.max(1, i - limit), to = Swift.min(b.count, i + limit)
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
