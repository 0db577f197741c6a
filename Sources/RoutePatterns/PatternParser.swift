/// A parser for the text of patterns.
struct PatternParser {
  private let text: String
  private let bytes: [UInt8]
  /// The names of the parameters that were parsed.
  private var names: [[UInt8]] = []

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(PatternError) -> PatternSyntax {
    try checkCharacters()
    let colon = bytes.prefix { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }.count
    guard bytes.first?.isLetter == true, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else {
      throw wrong(bytes.first?.isLetter == true ? colon : 0, "a pattern begins with a scheme, as shop://order/:id does")
    }
    let scheme = String(decoding: bytes[..<colon].map { $0.isCapital ? $0 | 0x20 : $0 }, as: UTF8.self)
    let start = colon + 1
    if bytes[start...].equals("**") {
      return PatternSyntax(text: text, scheme: scheme, host: nil, port: nil, segments: [], hasTrailingSlash: false)
    }
    guard bytes[start...].starts(with: "//".utf8) else {
      throw wrong(start, "behind the scheme comes //, or ** for whatever else has the scheme")
    }
    let authority = start + 2
    let path = bytes[authority...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
    let (host, port) = try self.host(authority..<path, scheme)
    let segments = try self.segments(path)
    return PatternSyntax(
      text: text, scheme: scheme, host: host, port: port, segments: segments,
      hasTrailingSlash: path < bytes.count && bytes.last == UInt8(ascii: "/"))
  }

  private func wrong(_ offset: Int, _ reason: String) -> PatternError {
    PatternError(text: text, offset: offset, reason: reason)
  }

  /// Throws an error if the text contains a character that cannot occur in a pattern.
  private func checkCharacters() throws(PatternError) {
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"):
        throw wrong(
          offset, "a pattern ends with the path: what is not found there is looked for in the query without being named"
        )
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"):
        throw wrong(offset, "a parameter is written :name, not in brackets")
      case _ where byte.isControl, UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "^"),
        UInt8(ascii: "`"), UInt8(ascii: "|"):
        let digits = String(byte, radix: 16, uppercase: true)
        throw wrong(offset, "a URL has no such character: write %\(byte < 16 ? "0" : "")\(digits)")
      default: break
      }
    }
  }

  // MARK: - Host

  private mutating func host(
    _ authority: Range<Int>, _ scheme: String
  ) throws(PatternError) -> (PatternSyntax.Segment, port: Int?) {
    if let at = bytes[authority].firstIndex(of: UInt8(ascii: "@")) {
      throw wrong(at, "a pattern has no user in front of the host: it plays no part in matching")
    }
    let end = try endOfHost(authority)
    var port: Int?
    if end < authority.upperBound {
      let digits = bytes[(end + 1)..<authority.upperBound]
      guard end > authority.lowerBound else { throw wrong(end, "there is a port and no host in front of it") }
      guard digits.count <= 5, let number = Int(digits.text), number <= 65_535 else {
        throw wrong(end + 1, "a port is a number up to 65535")
      }
      port = number == URLParts.port(of: scheme.utf8) ? nil : number
    }
    let host = authority.lowerBound..<end
    if bytes[host].equals("*") { return (.wildcard, port) }
    if bytes[host].equals("**") {
      throw wrong(host.lowerBound, "** is no host: write * for any host, or \(scheme):** for all of the scheme")
    }
    if bytes[host].first == UInt8(ascii: ":") { return (try parameter(host, inHost: true), port) }
    try checkLiteral(host, isAddress: bytes[host].first == UInt8(ascii: "["))
    guard let canonical = HostText.canonical(bytes[host]) else {
      throw wrong(host.lowerBound, "no host is called so")
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
        throw wrong(end, "the closing bracket behind the address is missing")
      }
      guard close + 1 < end else { return end }
      colon = close + 1
      guard bytes[close + 1] == UInt8(ascii: ":") else { throw wrong(close + 1, "no host is called so") }
    case UInt8(ascii: ":"):
      // The host is a parameter, so its first colon does not start a port.
      let last = bytes[authority].lastIndex(of: UInt8(ascii: ":")) ?? start
      if last + 1 < end, bytes[(last + 1)..<end].allSatisfy(\.isDigit) { colon = last }
    default: colon = bytes[authority].firstIndex(of: UInt8(ascii: ":"))
    }
    guard let colon else { return end }
    guard colon + 1 < end, bytes[(colon + 1)..<end].allSatisfy(\.isDigit) else {
      throw wrong(colon + 1, "a port is a number up to 65535")
    }
    return colon
  }

  // MARK: - Path

  private mutating func segments(_ path: Int) throws(PatternError) -> [PatternSyntax.Segment] {
    guard path < bytes.count else { return [] }
    var segments: [PatternSyntax.Segment] = []
    var start = path + 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      if case .rest = segments.last {
        throw wrong(start, "** stands for all the rest: nothing may come behind it; * is one segment")
      }
      segments.append(try segment(start..<end))
      start = end + 1
    }
    return segments
  }

  private mutating func segment(_ range: Range<Int>) throws(PatternError) -> PatternSyntax.Segment {
    let segment = bytes[range]
    if segment.equals("*") { return .wildcard }
    if segment.equals("**") { return .rest }
    if segment.first == UInt8(ascii: ":") { return try parameter(range, inHost: false) }
    try checkLiteral(range, isAddress: false)
    let decoded = try decode(range)
    if decoded.isDots {
      throw wrong(range.lowerBound, "the segments . and .. match nothing: write the path that they lead to")
    }
    return .literal(decoded.text)
  }

  private mutating func parameter(_ range: Range<Int>, inHost: Bool) throws(PatternError) -> PatternSyntax.Segment {
    let start = range.lowerBound + 1
    let name = bytes[start..<range.upperBound].prefix {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 >= 0x80
    }
    guard let first = name.first, !first.isDigit else {
      throw wrong(start, "a name is missing behind the colon: write :name, or %3A for the colon itself")
    }
    guard !names.contains(where: { $0.elementsEqual(name) }) else {
      throw wrong(start, "there are two parameters called \(name.text)")
    }
    names.append(Array(name))
    var end = name.endIndex
    var type: ParameterType?
    if end < range.upperBound, bytes[end] == UInt8(ascii: "(") {
      guard let close = bytes[end..<range.upperBound].firstIndex(of: UInt8(ascii: ")")) else {
        throw wrong(range.upperBound, "the closing bracket behind the type is missing")
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
      throw wrong(suffix.lowerBound, "behind a parameter in the host comes a dot and a host, as in :shop.example.com")
    }
    return .parameter(.init(name: name.text, type: type, suffix: canonical.text))
  }

  private func type(_ range: Range<Int>) throws(PatternError) -> ParameterType {
    let written = bytes[range].text
    if let type = ParameterType.allCases.first(where: { $0.rawValue.utf8.elementsEqual(written.utf8) }) { return type }
    let all = ParameterType.allCases.map(\.rawValue).joined(separator: ", ")
    throw wrong(range.lowerBound, "there is no type \(written): there are \(all), and no brackets for any text")
  }

  // MARK: - Literals

  /// Throws an error if a literal contains a character that has a meaning elsewhere in a pattern.
  private func checkLiteral(_ range: Range<Int>, isAddress: Bool) throws(PatternError) {
    for offset in range {
      switch bytes[offset] {
      case UInt8(ascii: "*"):
        throw wrong(offset, "a wildcard is a segment by itself: write %2A for the asterisk")
      case UInt8(ascii: ":") where !isAddress:
        throw wrong(offset, "a parameter begins its segment and is alone in it: write %3A for the colon")
      default: break
      }
    }
  }

  private func decode(_ range: Range<Int>) throws(PatternError) -> [UInt8] {
    guard let decoded = PercentEncoding.decoded(bytes[range]) else {
      let offset = bytes[range].firstIndex(of: UInt8(ascii: "%")) ?? range.lowerBound
      throw wrong(
        offset, "% is not followed by two hexadecimal digits, or they are no UTF-8: write %25 for the percent sign")
    }
    guard !decoded.contains(where: \.isControl) else {
      throw wrong(range.lowerBound, "there is a control character in this segment: nobody can see it; leave it out")
    }
    return decoded
  }
}
