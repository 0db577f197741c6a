/// The components of a URL for matching.
///
/// Splitting follows RFC 3986, takes linear time, and decodes each component once. Where browsers
/// and other software disagree on the meaning of a URL, it throws a ``URLPartsError``.
package struct URLParts: Sendable {
  /// The largest size of a URL in bytes.
  ///
  /// Comparing and hashing a string sorts the combining marks of each letter, which takes quadratic
  /// time. The limit keeps that short for the names and values of a hostile URL.
  package static let sizeLimit = 65_536

  /// A decoded item of a query. Plus signs are not decoded.
  package struct QueryItem: Sendable, Equatable {
    package let name: String
    /// The value, or nil if the item has no equals sign.
    package let value: String?

    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// A segment of the path.
  struct Piece {
    /// The position of the segment in the URL.
    let encoded: Range<Int>
    /// The position of the decoded segment, or of the original one if it cannot be decoded.
    let decoded: Range<Int>
    /// A Boolean value that indicates whether the segment cannot be decoded.
    ///
    /// Literals, typed parameters, and parameters with a suffix do not match such a segment.
    let isMalformed: Bool
  }

  /// The bytes of the URL, followed by the decoded or canonical forms of components that differ
  /// from it.
  private(set) var bytes: [UInt8]
  private let textSize: Int
  private(set) var schemeRange = 0..<0
  private(set) var userInfoRange: Range<Int>?
  private(set) var hostRange: Range<Int>?
  /// The port, or nil if the URL has none or has the scheme's default port.
  package private(set) var port: Int?
  private(set) var pieces: [Piece] = []
  /// A Boolean value that indicates whether the path contains a dot segment, encoded or not.
  package private(set) var hasDotSegments = false
  private(set) var queryRange: Range<Int>?
  private(set) var fragmentRange: Range<Int>?

  /// Splits a URL into its components.
  ///
  /// - Throws: ``URLPartsError`` with the offset of the problem if the text is not a URL, or if
  ///   other software may read it as a different one.
  package init(_ text: String) throws(URLPartsError) {
    bytes = Array(text.utf8)
    let end = bytes.count
    textSize = end
    guard end <= Self.sizeLimit else {
      throw URLPartsError(
        offset: Self.sizeLimit, reason: "the URL has more than \(Self.sizeLimit) bytes; send the data another way")
    }
    var rest = try splitScheme()
    // The query ends at the first `#`, and the fragment can contain any character, so find these
    // separators before the path is split.
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
        throw URLPartsError(
          offset: offset, reason: "a backslash is ambiguous, because some software reads it as a slash; write '%5C'")
      }
    }
    if bytes[rest..<pathEnd].starts(with: "//".utf8) {
      let start = rest + 2
      rest = bytes[start..<pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? pathEnd
      try splitAuthority(start..<rest)
    }
    splitPath(rest..<pathEnd)
  }

  // MARK: - Components

  /// The URL as it was given.
  package var text: String { bytes[..<textSize].text }
  /// The scheme in lowercase.
  package var scheme: String { bytes[schemeRange].text }
  /// The user information in front of the host, still encoded. Matching ignores it.
  package var userInfo: String? { userInfoRange.map { bytes[$0].text } }
  /// The host in canonical form, or nil if the URL has no authority.
  ///
  /// See ``HostText``.
  package var host: String? { hostRange.map { bytes[$0].text } }
  /// The segments of the path, still encoded, without the empty one after a slash at the end.
  package var encodedSegments: [String] { pieces.map { bytes[$0.encoded].text } }
  /// The decoded segments of the path. A segment that cannot be decoded is as it was given.
  package var segments: [String] { pieces.map { bytes[$0.decoded].text } }
  /// The query, still encoded.
  package var encodedQuery: String? { queryRange.map { bytes[$0].text } }
  /// The decoded fragment, or the original one if it cannot be decoded.
  package var fragment: String? { fragmentRange.map(decoded) }

  /// The decoded items of the query in order.
  ///
  /// A name can occur more than once. A name or value that cannot be decoded is as it was given.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the query. Each access splits the query.
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

  /// Returns the default port of a scheme.
  static func port(of scheme: some Collection<UInt8>) -> Int? {
    func isScheme(_ name: StaticString) -> Bool {
      scheme.count == name.utf8CodeUnitCount && name.withUTF8Buffer { scheme.elementsEqual($0) }
    }
    if isScheme("https") || isScheme("wss") { return 443 }
    if isScheme("http") || isScheme("ws") { return 80 }
    return isScheme("ftp") ? 21 : nil
  }

  // MARK: - Splitting

  /// Returns the offset after the scheme.
  ///
  /// Also rejects control characters anywhere in the URL.
  private mutating func splitScheme() throws(URLPartsError) -> Int {
    if let offset = bytes.firstIndex(where: \.isControl) {
      throw URLPartsError(offset: offset, reason: "a URL must not contain a control character")
    }
    let colon = bytes.prefix { byte in
      byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".")
    }.count
    guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"), bytes[0].isLetter else {
      throw URLPartsError(offset: colon, reason: "missing scheme; pass the whole URL, as in 'shop://order/7'")
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
        throw URLPartsError(offset: second, reason: "a second '@' makes the host ambiguous")
      }
    }
    // An IPv6 address contains colons in its brackets.
    let isAddress = bytes[host].first == UInt8(ascii: "[")
    let address = isAddress ? bytes[host].firstIndex(of: UInt8(ascii: "]")) ?? host.upperBound : host.lowerBound
    if let colon = bytes[address..<host.upperBound].firstIndex(of: UInt8(ascii: ":")) {
      port = try readPort((colon + 1)..<host.upperBound)
      host = host.lowerBound..<colon
    }
    if port == Self.port(of: bytes[schemeRange]) { port = nil }
    if !HostText.isCanonical(bytes[host]) {
      guard let canonical = HostText.canonical(bytes[host]) else {
        throw URLPartsError(offset: host.lowerBound, reason: "invalid host")
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
        throw URLPartsError(offset: offset, reason: "the port must be a number up to 65535")
      }
      port = number
    }
    return port
  }

  private mutating func splitPath(_ path: Range<Int>) {
    var start = path.lowerBound
    if !path.isEmpty, bytes[start] == UInt8(ascii: "/") { start += 1 }
    // A slash at the end starts no segment, because the next segment would start where the path
    // ends.
    while start < path.upperBound {
      let end = bytes[start..<path.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? path.upperBound
      let decoded = PercentEncoding.decode(start..<end, in: &bytes)
      if let decoded, bytes[decoded].isDots { hasDotSegments = true }
      pieces.append(Piece(encoded: start..<end, decoded: decoded ?? start..<end, isMalformed: decoded == nil))
      start = end + 1
    }
  }
}

/// An error about text that is not a URL, or that other software may read as a different URL.
package struct URLPartsError: Error, Sendable, CustomStringConvertible {
  /// The offset of the problem in bytes of UTF-8.
  package let offset: Int
  /// The problem, and a suggestion if there is one.
  package let reason: String

  package var description: String { "\(reason) (at byte \(offset) of the URL)" }
}
