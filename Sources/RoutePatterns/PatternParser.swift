/// A parser for the text of patterns.
struct PatternParser {
  let text: String
  let bytes: [UInt8]
  /// The names of the parameters that were parsed.
  private var names: [[UInt8]] = []
  /// The number of groups of optional segments that were parsed.
  var groupCount = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(PatternError) -> PatternSyntax {
    try checkCharacters()
    let colon = bytes.prefix { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }.count
    guard bytes.first?.isLetter == true, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else {
      throw wrong(
        bytes.first?.isLetter == true ? colon : 0,
        "missing scheme; write the whole pattern, as in 'shop://order/:id'")
    }
    let scheme = String(decoding: bytes[..<colon].map { $0.isCapital ? $0 | 0x20 : $0 }, as: UTF8.self)
    let start = colon + 1
    if bytes[start...].equals("**") {
      return PatternSyntax(text: text, scheme: scheme, host: nil, port: nil)
    }
    guard bytes[start...].starts(with: "//".utf8) else {
      throw wrong(start, "expected '//' after the scheme, or '**' to match every other URL with the scheme")
    }
    let authority = start + 2
    let end = bytes[authority...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    var path = bytes[authority..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
    if path > authority, startsGroup(path - 1) { path -= 1 }
    let (host, port) = try self.host(authority..<path, scheme)
    let parts = try self.parts(path..<end, isPath: end == bytes.count)
    let fragment = end < bytes.count ? try self.parts((end + 1)..<bytes.count, isPath: true) : nil
    let hasTrailingSlash = path < end && bytes[end - 1] == UInt8(ascii: "/")
    let paths = PatternPart.expanded(parts)
    let fragments = fragment.map { PatternPart.expanded($0).map(Optional.some) } ?? [nil]
    let variants = paths.flatMap { path in fragments.map { (path, $0) } }
    func pattern(_ index: Int, _ reduced: [PatternSyntax] = []) -> PatternSyntax {
      PatternSyntax(
        text: text, scheme: scheme, host: host, port: port, segments: variants[index].0,
        fragment: variants[index].1, hasTrailingSlash: hasTrailingSlash, reduced: reduced)
    }
    return pattern(0, variants.indices.dropFirst().map { pattern($0) })
  }

  func wrong(_ offset: Int, _ reason: String) -> PatternError {
    PatternError(text: text, offset: offset, reason: reason)
  }

  /// Throws an error if the text contains a character that cannot occur in a pattern.
  private func checkCharacters() throws(PatternError) {
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "?"):
        throw wrong(
          offset, "a pattern must not contain a query; values that are not in the path are read from the query")
      case UInt8(ascii: "#")
      where bytes[..<offset].contains(UInt8(ascii: "#")) || bytes[offset...].dropFirst().first != UInt8(ascii: "/"):
        throw wrong(
          offset,
          "the fragment of a pattern must be a path, as in '#/orders/:id'; other fragments are part of the request")
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"):
        throw wrong(offset, "invalid character in a pattern; write a parameter as ':name', without brackets")
      case _ where byte.isControl, UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "^"),
        UInt8(ascii: "`"), UInt8(ascii: "|"):
        let digits = String(byte, radix: 16, uppercase: true)
        throw wrong(offset, "invalid character in a URL; write '%\(byte < 16 ? "0" : "")\(digits)'")
      default: break
      }
    }
  }

  // MARK: - Host

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
      guard digits.count <= 5, let number = Int(digits.text), number <= 65_535 else {
        throw wrong(end + 1, "the port must be a number up to 65535")
      }
      port = number == URLParts.port(of: scheme.utf8) ? nil : number
    }
    let host = authority.lowerBound..<end
    if bytes[host].equals("*") { return (.wildcard, port) }
    if bytes[host].equals("**") {
      throw wrong(
        host.lowerBound,
        "'**' is not a host; write '*' to match any host, or '\(scheme):**' to match every URL with the scheme")
    }
    if bytes[host].first == UInt8(ascii: ":") { return (try parameter(host, inHost: true), port) }
    try checkLiteral(host, isAddress: bytes[host].first == UInt8(ascii: "["))
    guard let canonical = HostText.canonical(bytes[host]) else {
      throw wrong(host.lowerBound, "invalid host")
    }
    return (.literal(canonical.text), port)
  }

  /// Returns the end of the host, which is before the colon of a port or at the end of the
  /// authority.
  private func endOfHost(_ authority: Range<Int>) throws(PatternError) -> Int {
    let (start, end) = (authority.lowerBound, authority.upperBound)
    var colon: Int?
    switch bytes[authority].first {
    case UInt8(ascii: "["):
      guard let close = bytes[authority].firstIndex(of: UInt8(ascii: "]")) else {
        throw wrong(end, "missing ']' after the address")
      }
      guard close + 1 < end else { return end }
      colon = close + 1
      guard bytes[close + 1] == UInt8(ascii: ":") else { throw wrong(close + 1, "invalid host") }
    case UInt8(ascii: ":"):
      // The host is a parameter, so its first colon does not start a port.
      let last = bytes[authority].lastIndex(of: UInt8(ascii: ":")) ?? start
      if last + 1 < end, bytes[(last + 1)..<end].allSatisfy(\.isDigit) { colon = last }
    default: colon = bytes[authority].firstIndex(of: UInt8(ascii: ":"))
    }
    guard let colon else { return end }
    guard colon + 1 < end, bytes[(colon + 1)..<end].allSatisfy(\.isDigit) else {
      throw wrong(colon + 1, "the port must be a number up to 65535")
    }
    return colon
  }

  // MARK: - Path

  mutating func segment(_ range: Range<Int>) throws(PatternError) -> PatternSyntax.Segment {
    let segment = bytes[range]
    if segment.equals("*") { return .wildcard }
    if segment.equals("**") { return .rest }
    if segment.first == UInt8(ascii: ":") { return try parameter(range, inHost: false) }
    try checkLiteral(range, isAddress: false)
    let decoded = try decode(range)
    if decoded.isDots {
      throw wrong(range.lowerBound, "the segments '.' and '..' never match; write the path that they lead to")
    }
    return .literal(decoded.text)
  }

  private mutating func parameter(_ range: Range<Int>, inHost: Bool) throws(PatternError) -> PatternSyntax.Segment {
    let start = range.lowerBound + 1
    let name = bytes[start..<range.upperBound].prefix {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 >= 0x80
    }
    guard let first = name.first, !first.isDigit else {
      throw wrong(start, "missing name after the colon; write ':name', or '%3A' for a literal colon")
    }
    guard !names.contains(where: { $0.elementsEqual(name) }) else {
      throw wrong(start, "duplicate parameter '\(name.text)'; give each parameter its own name")
    }
    names.append(Array(name))
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
    if let type = ParameterType.allCases.first(where: { $0.rawValue.utf8.elementsEqual(written.utf8) }) { return type }
    let all = ParameterType.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    throw wrong(
      range.lowerBound,
      "unknown type '\(written)'; the types are \(all), and a parameter without a type matches any text")
  }

  // MARK: - Literals

  /// Throws an error if a literal contains a character that has a meaning elsewhere in a pattern.
  private func checkLiteral(_ range: Range<Int>, isAddress: Bool) throws(PatternError) {
    for offset in range {
      switch bytes[offset] {
      case UInt8(ascii: "*"):
        throw wrong(offset, "a wildcard must be a whole segment; write '%2A' for a literal asterisk")
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
