extension String {
  /// The string as it is safe to show: control characters and marks that change the direction of what
  /// follows are written out, and what is then longer than `limit` code points is cut.
  ///
  /// Names come from binaries; what they hold must not reach a terminal or a log unseen.
  package func escapedForDisplay(limit: Int = 200) -> String {
    var text = ""
    var count = 0
    for scalar in unicodeScalars {
      guard count < limit else { return text + "… (\(utf8.count) bytes)" }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        let escape = "\\u{\(String(scalar.value, radix: 16))}"
        text += escape
        count += escape.utf8.count
      default:
        count += 1
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The name among `names` that this one is most likely a misspelling of, if one is near enough.
  package func nearest(in names: some Sequence<String>) -> String? {
    let own = Array(prefix(200).lowercased().utf8)
    let limit = Swift.max(1, own.count / 3)
    var best: (name: String, distance: Int)?
    for name in names where name != self && name.utf8.count < own.count + limit + 1 {
      let other = Array(name.lowercased().utf8)
      guard other.count + limit >= own.count else { continue }
      let distance = Self.editDistance(own, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// Levenshtein's distance, with two rows.
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let substituted = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(substituted, diagonal + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
