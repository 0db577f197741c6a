struct PatternParser {
  private let text: String
  private let bytes: [UInt8]
  private var names: [String] = []
  /// The number of groups of optional segments so far.
  private var groupCount = 0
  /// The limit on groups of optional segments. Four groups have up to 16 combinations.
  private static let groupLimit = 4

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(PatternError) -> PatternSyntax {
    try checkCharacters()
    let colon = bytes.prefix(while: \.isScheme).count
    guard bytes.first?.isLetter == true, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else {
      throw wrong(
        bytes.first?.isLetter == true ? colon : 0,
        "missing scheme; write the whole pattern, as in 'shop://order/:id'")
    }
    let scheme = bytes[..<colon].map(\.small).text
    let start = colon + 1
    if bytes[start...].equals("**") {
      return PatternSyntax(text: text, scheme: scheme)
    }
    guard bytes[start...].starts(with: "//".utf8) else {
      throw wrong(start, "expected '//' after the scheme, or '**' to match every other URL with the scheme")
    }
    let authority = start + 2
    let end = bytes[authority...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    var path = bytes[authority..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
    if path > authority, startsGroup(path - 1) { path -= 1 }
    let (host, port) = try self.host(authority..<path, scheme)
    let paths = try variants(path..<end, isPath: end == bytes.count)
    let fragments: [[PatternSyntax.Segment]?] =
      end < bytes.count ? try variants((end + 1)..<bytes.count, isPath: true) : [nil]
    let hasTrailingSlash = path < end && bytes[end - 1] == UInt8(ascii: "/")
    let choices = paths.flatMap { path in fragments.map { (path, $0) } }
    func pattern(_ index: Int, _ reduced: [PatternSyntax] = []) -> PatternSyntax {
      PatternSyntax(
        text: text, scheme: scheme, host: host, port: port, segments: choices[index].0,
        fragment: choices[index].1, hasTrailingSlash: hasTrailingSlash, reduced: reduced)
    }
    return pattern(0, choices.indices.dropFirst().map { pattern($0) })
  }

  private func wrong(_ offset: Int, _ reason: String) -> PatternError {
    PatternError(text: text, offset: offset, reason: reason)
  }

  private func checkCharacters() throws(PatternError) {
    let scheme = bytes.prefix { $0 != UInt8(ascii: "/") }
    if bytes[scheme.endIndex...].starts(with: "//".utf8), scheme.last == UInt8(ascii: ":"),
      let offset = scheme.firstIndex(where: { "*?()|[]".utf8.contains($0) })
    {
      throw wrong(offset, "a scheme cannot vary; write a pattern for each scheme of the route")
    }
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "?") where endsParameter(offset):
        throw wrong(offset, "a question mark does not make a parameter optional; write its segment as '(/:name)'")
      case UInt8(ascii: "?"):
        throw wrong(
          offset, "a pattern must not contain a query; values that are not in the path are read from the query")
      case UInt8(ascii: "#")
      where bytes[..<offset].contains(UInt8(ascii: "#")) || bytes[offset...].dropFirst().first != UInt8(ascii: "/"):
        throw wrong(
          offset,
          "the fragment of a pattern must be a path, as in '#/orders/:id'; other fragments are part of the request")
      case UInt8(ascii: "{") where bytes[offset...].dropFirst().first == UInt8(ascii: "/"):
        throw wrong(offset, "invalid character in a pattern; write an optional segment as '(/:name)'")
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"):
        throw wrong(offset, "invalid character in a pattern; write a parameter as ':name', without brackets")
      case UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "|"):
        throw notRegular(offset, "'%\(String(byte, radix: 16, uppercase: true))' for the literal character")
      case _ where byte.isControl, UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "`"):
        let digits = String(byte, radix: 16, uppercase: true)
        throw wrong(offset, "invalid character in a URL; write '%\(byte < 16 ? "0" : "")\(digits)'")
      default: break
      }
    }
  }

  private func notRegular(_ offset: Int, _ literal: String) -> PatternError {
    wrong(offset, "a pattern is not a regular expression; write a parameter such as ':id(Int)', or \(literal)")
  }

  /// Returns true if the character at an offset ends a path parameter's segment, as in `/:id?`.
  private func endsParameter(_ offset: Int) -> Bool {
    let end = offset + 1
    guard let slash = bytes[..<offset].lastIndex(of: UInt8(ascii: "/")), slash > 0,
      bytes[slash...].starts(with: "/:".utf8), bytes[slash - 1] != UInt8(ascii: "/")
    else { return false }
    return end == bytes.count || "/#()".utf8.contains(bytes[end])
  }

  private mutating func host(
    _ authority: Range<Int>, _ scheme: String
  ) throws(PatternError) -> (PatternSyntax.Segment, port: Int?) {
    if let at = bytes[authority].firstIndex(of: UInt8(ascii: "@")) {
      throw wrong(at, "a pattern must not contain a user before the host; matching ignores the user")
    }
    let end = try endOfHost(authority)
    var port: Int?
    if end < authority.upperBound {
      let digits = bytes[(end + 1)..<authority.upperBound]
      guard end > authority.lowerBound else { throw wrong(end, "missing host before the port") }
      guard digits.count <= 5, digits.allSatisfy(\.isDigit), let number = Int(digits.text), number <= 65_535 else {
        throw wrong(end + 1, "the port must be a number up to 65535")
      }
      port = number == URLParts.port(of: scheme.utf8) ? nil : number
    }
    let host = authority.lowerBound..<end
    if bytes[host].equals("**") {
      throw wrong(
        host.lowerBound,
        "'**' is not a host; write '*' to match any host, or '\(scheme):**' to match every URL with the scheme")
    }
    return (try component(host, inHost: true), port)
  }

  /// Returns the end of the host, before the colon of a port or at the end of the authority.
  private func endOfHost(_ authority: Range<Int>) throws(PatternError) -> Int {
    let end = authority.upperBound
    if bytes[authority].first == UInt8(ascii: "[") {
      guard let close = bytes[authority].firstIndex(of: UInt8(ascii: "]")) else {
        throw wrong(end, "missing ']' after the address")
      }
      guard close + 1 == end || bytes[close + 1] == UInt8(ascii: ":") else { throw wrong(close + 1, "invalid host") }
      return close + 1
    }
    // The colon before a parameter's name, which doesn't begin with a digit, starts no port.
    let rest = bytes[authority].dropFirst()
    let isParameter = bytes[authority].first == UInt8(ascii: ":") && rest.first?.isDigit != true
    return (isParameter ? rest : bytes[authority]).firstIndex(of: UInt8(ascii: ":")) ?? end
  }

  /// Returns true if a group of optional segments starts at an offset. Other parentheses enclose
  /// the type of a parameter, or are part of a literal.
  private func startsGroup(_ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset...].starts(with: "(/".utf8)
  }

  /// Parses a path, a fragment, or the contents of a group.
  ///
  /// - Parameter isPath: True if the last segment can be `**`.
  /// - Returns: The segments of each variant. The first variant has all optional segments.
  private mutating func variants(
    _ range: Range<Int>, isPath: Bool
  ) throws(PatternError) -> [[PatternSyntax.Segment]] {
    var variants: [[PatternSyntax.Segment]] = [[]]
    var start = range.lowerBound
    while start < range.upperBound {
      if startsGroup(start) {
        let close = try endOfGroup(start, range.upperBound)
        let choices = try group((start + 1)..<close, isPath: isPath && close + 1 == range.upperBound) + [[]]
        variants = variants.flatMap { variant in choices.map { variant + $0 } }
        start = close + 1
        guard start == range.upperBound || bytes[start] == UInt8(ascii: "/") || startsGroup(start) else {
          throw wrong(start, "expected a slash after the optional segments, which are whole segments")
        }
        continue
      }
      let end =
        bytes.indices[(start + 1)..<range.upperBound]
        .first { bytes[$0] == UInt8(ascii: "/") || startsGroup($0) } ?? range.upperBound
      // A trailing slash starts no segment.
      if start + 1 == range.upperBound { break }
      guard end > start + 1 || !startsGroup(end) else {
        throw wrong(start, "a slash before optional segments, which begin with their own slash; remove it")
      }
      let segment = try component((start + 1)..<end, inHost: false)
      let isLast = isPath && (end == range.upperBound || end + 1 == range.upperBound && bytes[end] == UInt8(ascii: "/"))
      if case .rest = segment, !isLast {
        throw wrong(
          end < range.upperBound ? end + 1 : end,
          "'**' matches all remaining segments and must be the last one; write '*' to match one segment")
      }
      for index in variants.indices { variants[index].append(segment) }
      start = end
    }
    return variants
  }

  /// Parses the contents of a group of optional segments, without the parentheses.
  private mutating func group(_ range: Range<Int>, isPath: Bool) throws(PatternError) -> [[PatternSyntax.Segment]] {
    groupCount += 1
    guard groupCount <= Self.groupLimit else {
      throw wrong(
        range.lowerBound - 1,
        "a pattern can have at most \(Self.groupLimit) groups of optional segments; give the route several patterns")
    }
    let variants = try variants(range, isPath: isPath)
    guard !variants[0].isEmpty else {
      throw wrong(range.lowerBound, "missing segment in the parentheses; write '(/:name)' for an optional segment")
    }
    return variants
  }

  private func endOfGroup(_ start: Int, _ end: Int) throws(PatternError) -> Int {
    var depth = 0
    for offset in start..<end {
      if bytes[offset] == UInt8(ascii: "(") { depth += 1 }
      if bytes[offset] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return offset }
    }
    throw wrong(end, "missing ')' after the optional segments; write '%28' for a literal parenthesis before a slash")
  }

  private mutating func component(_ range: Range<Int>, inHost: Bool) throws(PatternError) -> PatternSyntax.Segment {
    let written = bytes[range]
    if written.equals("*") { return .wildcard }
    if written.equals("**") { return .rest }
    if written.first == UInt8(ascii: ":") { return try parameter(range, inHost: inHost) }
    try checkLiteral(range, isAddress: inHost && written.first == UInt8(ascii: "["))
    guard let literal = inHost ? HostText.canonical(written) : try decode(range) else {
      throw wrong(range.lowerBound, "invalid host")
    }
    if !inHost, literal.isDots {
      throw wrong(range.lowerBound, "the segments '.' and '..' never match; write the path that they lead to")
    }
    return .literal(literal.text)
  }

  private mutating func parameter(_ range: Range<Int>, inHost: Bool) throws(PatternError) -> PatternSyntax.Segment {
    let start = range.lowerBound + 1
    let name = bytes[start..<range.upperBound].prefix {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 >= 0x80
    }
    guard let first = name.first, !first.isDigit else {
      throw wrong(start, "missing name after the colon; write ':name', or '%3A' for a literal colon")
    }
    guard !names.contains(name.text) else {
      throw wrong(start, "duplicate parameter '\(name.text)'; give each parameter its own name")
    }
    names.append(name.text)
    var end = name.endIndex
    var type: ParameterType?
    if end < range.upperBound, bytes[end] == UInt8(ascii: "(") {
      guard let close = bytes[end..<range.upperBound].firstIndex(of: UInt8(ascii: ")")) else {
        throw wrong(range.upperBound, "missing ')' after the type")
      }
      type = try self.type((end + 1)..<close)
      end = close + 1
    }
    let suffix = end..<range.upperBound
    if !inHost, !suffix.isEmpty, let literal = ["*": "%2A", "+": "%2B", "...": "%2E.."][bytes[suffix].text] {
      throw wrong(end, "a parameter matches one segment; \(Self.restHint), or '\(literal)' for the literal text")
    }
    try checkLiteral(suffix, isAddress: false)
    guard inHost, !suffix.isEmpty else {
      return .parameter(.init(name: name.text, type: type, suffix: try decode(suffix).text))
    }
    guard bytes[suffix.lowerBound] == UInt8(ascii: "."), let canonical = HostText.canonical(bytes[suffix]) else {
      throw wrong(suffix.lowerBound, "expected a dot and a host after the parameter, as in ':shop.example.com'")
    }
    return .parameter(.init(name: name.text, type: type, suffix: canonical.text))
  }

  private func type(_ range: Range<Int>) throws(PatternError) -> ParameterType {
    let written = bytes[range].text
    if let type = ParameterType(rawValue: written) { return type }
    let all = ParameterType.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    throw wrong(
      range.lowerBound,
      "unknown type '\(written)'; the types are \(all), and a parameter without a type matches any text")
  }

  private static let restHint = "write '**' at the end to match the remaining segments ('request.remainingSegments')"

  private func checkLiteral(_ range: Range<Int>, isAddress: Bool) throws(PatternError) {
    for offset in range {
      switch bytes[offset] {
      case UInt8(ascii: "*"):
        // In other libraries, a wildcard can have a name: `**:rest`, `*:rest`, or `*rest`.
        let name = bytes[offset..<range.upperBound].drop { $0 == UInt8(ascii: "*") }
        if offset == range.lowerBound, let first = name.first, first == UInt8(ascii: ":") || first.isLetter {
          throw wrong(offset, "a wildcard has no name; write ':name' to match one segment, or \(Self.restHint)")
        }
        throw wrong(
          offset,
          "a wildcard must be a whole segment; write a parameter, as in ':name.html', or '%2A' for a literal asterisk")
      case UInt8(ascii: "["), UInt8(ascii: "]"):
        if isAddress { break }
        throw notRegular(offset, "'%5B' and '%5D' for literal brackets")
      case UInt8(ascii: ":") where !isAddress:
        throw wrong(offset, "a segment can contain only one parameter, at its start; write '%3A' for a literal colon")
      default: break
      }
    }
  }

  private func decode(_ range: Range<Int>) throws(PatternError) -> [UInt8] {
    guard let decoded = PercentEncoding.decoded(bytes[range]) else {
      let offset = bytes[range].firstIndex(of: UInt8(ascii: "%")) ?? range.lowerBound
      throw wrong(
        offset,
        "'%' must be followed by two hexadecimal digits, and the result must be UTF-8; write '%25' for a literal"
          + " percent sign")
    }
    guard !decoded.contains(where: \.isControl) else {
      throw wrong(range.lowerBound, "the segment contains an invisible control character; remove it")
    }
    return decoded
  }
}
