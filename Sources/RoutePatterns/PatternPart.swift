/// A part of the path or the fragment of a pattern.
enum PatternPart {
  case segment(PatternSyntax.Segment)
  /// Segments that a URL has together or not at all.
  case group([PatternPart])

  /// Returns the lists of segments for all choices of optional segments.
  ///
  /// The first list has all of them, and the last one has none.
  static func expanded(_ parts: [PatternPart]) -> [[PatternSyntax.Segment]] {
    guard let first = parts.first else { return [[]] }
    let rest = Array(parts.dropFirst())
    switch first {
    case .segment(let segment): return expanded(rest).map { [segment] + $0 }
    case .group(let group): return expanded(group + rest) + expanded(rest)
    }
  }
}

extension PatternParser {
  /// The largest number of groups of optional segments, which have up to 16 combinations.
  private static let groupLimit = 4

  /// Returns whether a group of optional segments starts at an offset.
  ///
  /// Other parentheses enclose the type of a parameter, or are part of a literal.
  func startsGroup(_ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset...].starts(with: "(/".utf8)
  }

  /// Parses a path, a fragment, or the contents of a group.
  ///
  /// - Parameter isPath: A Boolean value that indicates whether `**` can be at the end.
  mutating func parts(_ range: Range<Int>, isPath: Bool) throws(PatternError) -> [PatternPart] {
    var parts: [PatternPart] = []
    var start = range.lowerBound
    while start < range.upperBound {
      if startsGroup(start) {
        let close = try endOfGroup(start, range.upperBound)
        parts.append(try group((start + 1)..<close, isPath: isPath && close + 1 == range.upperBound))
        start = close + 1
        guard start == range.upperBound || bytes[start] == UInt8(ascii: "/") || startsGroup(start) else {
          throw wrong(start, "expected a slash after the optional segments, which are whole segments")
        }
        continue
      }
      // A slash at the end starts no segment.
      let end =
        bytes.indices[(start + 1)..<range.upperBound]
        .first { bytes[$0] == UInt8(ascii: "/") || startsGroup($0) } ?? range.upperBound
      if start + 1 == range.upperBound { break }
      guard end > start + 1 || !startsGroup(end) else {
        throw wrong(start, "a slash before optional segments, which begin with their own slash; remove it")
      }
      let segment = try segment((start + 1)..<end)
      let isLast = isPath && (end == range.upperBound || end + 1 == range.upperBound && bytes[end] == UInt8(ascii: "/"))
      if case .rest = segment, !isLast {
        throw wrong(
          end < range.upperBound ? end + 1 : end,
          "'**' matches all remaining segments and must be the last one; write '*' to match one segment")
      }
      parts.append(.segment(segment))
      start = end
    }
    return parts
  }

  /// Parses a group of optional segments, from its first slash to before its closing parenthesis.
  private mutating func group(_ range: Range<Int>, isPath: Bool) throws(PatternError) -> PatternPart {
    groupCount += 1
    guard groupCount <= Self.groupLimit else {
      throw wrong(
        range.lowerBound - 1,
        "a pattern can have at most \(Self.groupLimit) groups of optional segments; give the route several patterns")
    }
    let parts = try parts(range, isPath: isPath)
    guard !parts.isEmpty else {
      throw wrong(range.lowerBound, "missing segment in the parentheses; write '(/:name)' for an optional segment")
    }
    return .group(parts)
  }

  /// Returns the offset of the parenthesis that closes the group at the given offset.
  private func endOfGroup(_ start: Int, _ end: Int) throws(PatternError) -> Int {
    var depth = 0
    for offset in start..<end {
      if bytes[offset] == UInt8(ascii: "(") { depth += 1 }
      if bytes[offset] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return offset }
    }
    throw wrong(end, "missing ')' after the optional segments; write '%28' for a literal parenthesis before a slash")
  }
}
