/// The components of a URL (RFC 3986) for matching.
///
/// Splitting takes linear time and decodes each component once. Where browsers and other software
/// disagree on the meaning of a URL, it throws a ``URLPartsError``.
package struct URLParts: Sendable {
  /// The largest size of a URL in bytes.
  ///
  /// Comparing and hashing a string sorts the combining marks of each letter, which takes quadratic
  /// time. The limit keeps that short for the names and values of a hostile URL.
  package static let sizeLimit = 65_536

  /// A `key=value` of a query, decoded. Plus signs stay what they are.
  package struct QueryItem: Sendable, Equatable {
    package let name: String
    /// Nil where there is no `=`.
    package let value: String?

    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// A segment of the path.
  struct Piece {
    /// As it was given.
    let encoded: Range<Int>
    /// What it stands for; the same as it was given if that cannot be told.
    let decoded: Range<Int>
    /// Whether it cannot be decoded. Then it is no literal, no value of any type, and has no suffix.
    let isMalformed: Bool
  }

  /// The text; behind it what had to be decoded.
  private(set) var bytes: [UInt8]
  private let textSize: Int
  private(set) var schemeRange = 0..<0
  private(set) var userInfoRange: Range<Int>?
  private(set) var hostRange: Range<Int>?
  /// Nil if none is given, and also if it is the scheme's own.
  package private(set) var port: Int?
  private(set) var pieces: [Piece] = []
  /// Whether there is a `.` or `..` in the path, in whatever spelling.
  package private(set) var hasDotSegments = false
  private(set) var queryRange: Range<Int>?
  private(set) var fragmentRange: Range<Int>?

  /// Takes a URL apart.
  ///
  /// - Throws: ``URLPartsError`` with the place if it is none, or could be taken for another.
  package init(_ text: String) throws(URLPartsError) {
    bytes = Array(text.utf8)
    let end = bytes.count
    textSize = end
    guard end <= Self.sizeLimit else {
      throw URLPartsError(
        offset: Self.sizeLimit, reason: "more than \(Self.sizeLimit) bytes: send the data another way")
    }
    var rest = try splitScheme()
    // From behind: the fragment may have anything in it, the query anything but a #.
    var pathEnd = end
    for offset in rest..<end {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "#") {
        fragmentRange = (offset + 1)..<end
        if queryRange == nil { pathEnd = offset } else { queryRange = (pathEnd + 1)..<offset }
        break
      }
      if byte == UInt8(ascii: "?"), queryRange == nil {
        pathEnd = offset
        queryRange = (offset + 1)..<end
      } else if byte == UInt8(ascii: "\\"), queryRange == nil {
        throw URLPartsError(offset: offset, reason: "a backslash, which some take for a slash: write %5C")
      }
    }
    if bytes[rest..<pathEnd].starts(with: "//".utf8) {
      let start = rest + 2
      rest = bytes[start..<pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? pathEnd
      try splitAuthority(start..<rest)
    }
    splitPath(rest..<pathEnd)
  }

  // MARK: Parts

  /// The URL as it was given.
  package var text: String { bytes[..<textSize].text }
  /// In small letters.
  package var scheme: String { bytes[schemeRange].text }
  /// What stands in front of the `@`, as it was given. It plays no part in matching.
  package var userInfo: String? { userInfoRange.map { bytes[$0].text } }
  /// In the form in which hosts are compared: decoded, in small letters, international ones in ASCII, IPv6 in brackets. Nil
  /// without `//`.
  package var host: String? { hostRange.map { bytes[$0].text } }
  /// The path's segments as they were given, still encoded; without the empty one behind a slash at the end.
  package var encodedSegments: [String] { pieces.map { bytes[$0.encoded].text } }
  /// The path's segments decoded; those that cannot be decoded as they were given.
  package var segments: [String] { pieces.map { bytes[$0.decoded].text } }
  /// As it was given, still encoded.
  package var encodedQuery: String? { queryRange.map { bytes[$0].text } }
  /// Decoded, or as it was given if it cannot be.
  package var fragment: String? { fragmentRange.map(decoded) }

  /// All in order, also of one name; what cannot be decoded as it was given. Taken apart for every call.
  package var queryItems: [QueryItem] {
    guard let queryRange else { return [] }
    return bytes[queryRange].split(separator: UInt8(ascii: "&")).map { item in
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else {
        return QueryItem(name: decoded(item.startIndex..<item.endIndex), value: nil)
      }
      return QueryItem(
        name: decoded(item.startIndex..<equals), value: decoded((equals + 1)..<item.endIndex))
    }
  }

  private func decoded(_ range: Range<Int>) -> String {
    (PercentEncoding.decoded(bytes[range]).map { $0[...] } ?? bytes[range]).text
  }

  /// The port that URLs of a scheme have without naming it.
  static func port(of scheme: some Collection<UInt8>) -> Int? {
    func isScheme(_ name: StaticString) -> Bool {
      scheme.count == name.utf8CodeUnitCount && name.withUTF8Buffer { scheme.elementsEqual($0) }
    }
    if isScheme("https") || isScheme("wss") { return 443 }
    if isScheme("http") || isScheme("ws") { return 80 }
    return isScheme("ftp") ? 21 : nil
  }

  // MARK: Splitting

  /// Returns where what is behind the scheme begins. Looks at every byte.
  private mutating func splitScheme() throws(URLPartsError) -> Int {
    if let offset = bytes.firstIndex(where: \.isControl) {
      throw URLPartsError(offset: offset, reason: "a control character, which no URL has")
    }
    let colon = bytes.prefix { byte in
      byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".")
    }.count
    guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"), bytes[0].isLetter else {
      throw URLPartsError(offset: colon, reason: "no scheme in front: give the whole URL, as shop://order/7")
    }
    schemeRange = 0..<colon
    if bytes[schemeRange].contains(where: \.isCapital) {
      let start = bytes.count
      bytes += bytes[schemeRange].map { $0 | ($0.isCapital ? 0x20 : 0) }
      schemeRange = start..<bytes.count
    }
    return colon + 1
  }

  private mutating func splitAuthority(_ authority: Range<Int>) throws(URLPartsError) {
    var host = authority
    if let at = bytes[authority].firstIndex(of: UInt8(ascii: "@")) {
      userInfoRange = authority.lowerBound..<at
      host = (at + 1)..<authority.upperBound
      if let second = bytes[host].firstIndex(of: UInt8(ascii: "@")) {
        throw URLPartsError(offset: second, reason: "a second @, so that it is not clear what the host is")
      }
    }
    // The colons of an address are in brackets.
    let isAddress = bytes[host].first == UInt8(ascii: "[")
    let address = isAddress ? bytes[host].firstIndex(of: UInt8(ascii: "]")) ?? host.upperBound : host.lowerBound
    if let colon = bytes[address..<host.upperBound].firstIndex(of: UInt8(ascii: ":")) {
      port = try readPort((colon + 1)..<host.upperBound)
      host = host.lowerBound..<colon
    }
    if port == Self.port(of: bytes[schemeRange]) { port = nil }
    if !HostText.isCanonical(bytes[host]) {
      guard let canonical = HostText.canonical(bytes[host]) else {
        throw URLPartsError(offset: host.lowerBound, reason: "no host is called so")
      }
      host = bytes.count..<(bytes.count + canonical.count)
      bytes += canonical
    }
    hostRange = host
  }

  private func readPort(_ range: Range<Int>) throws(URLPartsError) -> Int? {
    var port: Int?
    for offset in range {
      let number = (port ?? 0) * 10 + Int(bytes[offset]) - 0x30
      guard bytes[offset].isDigit, number <= 65_535 else {
        throw URLPartsError(offset: offset, reason: "a port that is no number up to 65535")
      }
      port = number
    }
    return port
  }

  private mutating func splitPath(_ path: Range<Int>) {
    var start = path.lowerBound
    if !path.isEmpty, bytes[start] == UInt8(ascii: "/") { start += 1 }
    // What is behind a slash at the end is nothing, and begins where the path ends.
    while start < path.upperBound {
      let end = bytes[start..<path.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? path.upperBound
      let decoded = PercentEncoding.decode(start..<end, in: &bytes)
      if let decoded, bytes[decoded].isDots { hasDotSegments = true }
      pieces.append(Piece(encoded: start..<end, decoded: decoded ?? start..<end, isMalformed: decoded == nil))
      start = end + 1
    }
  }
}

/// Why a text is no URL that could be matched, or one that others would take for another.
package struct URLPartsError: Error, Sendable, CustomStringConvertible {
  /// In bytes of UTF-8 from the start.
  package let offset: Int
  /// What is wrong.
  package let reason: String

  package var description: String { "\(reason), at byte \(offset) of the URL" }
}
