/// The components of a URL, split for matching.
///
/// Splitting follows RFC 3986, takes linear time, and decodes each segment once. If other software
/// may read a URL differently, the initializer throws an error, or only a fallback matches the URL.
package struct URLParts: Sendable {
  /// The largest size of a URL in bytes.
  ///
  /// To compare or hash a string, Swift sorts the combining marks of each character, which takes
  /// quadratic time. The limit bounds this time for the names and values of a hostile URL.
  package static let sizeLimit = 65_536

  /// A decoded item of a query. The value is nil if the item has no equals sign. Plus signs aren't
  /// decoded.
  package typealias QueryItem = (name: String, value: String?)

  struct Piece {
    /// The range of the decoded segment in `bytes`, or of the original segment if decoding fails.
    let decoded: Range<Int>
    /// True if the segment can't be decoded. Only `*`, `**`, and untyped parameters without a
    /// suffix match it.
    let isMalformed: Bool
  }

  /// The bytes of the URL, followed by its decoded and canonical parts and the fragment separator.
  private(set) var bytes: [UInt8]
  /// The offset of the first `%` in the URL, or the size of the URL.
  private var firstEncoded: Int
  private(set) var schemeRange = 0..<0
  /// The range of the canonical host, or nil if the URL has no host. `file:/a` has an empty host,
  /// like `file:///a`.
  private(set) var hostRange: Range<Int>?
  /// The range of the host's value; see ``HostText``.
  private(set) var hostValueRange = 0..<0
  /// The port, or nil if the URL has no port or the scheme's default port.
  package private(set) var port: Int?
  /// The segments of the path and, after a separator, of a fragment that is a path.
  private(set) var pieces: [Piece] = []
  private(set) var pathCount = 0
  /// A Boolean value that indicates whether the path contains a dot segment, encoded or not.
  package private(set) var hasDotSegments = false
  private(set) var queryRange: Range<Int>?
  private(set) var fragmentRange: Range<Int>?
  /// The range of the query in a fragment that is a path.
  private var fragmentQueryRange: Range<Int>?

  /// Splits a URL into its components.
  ///
  /// - Throws: ``URLPartsError`` with the offset of the problem if the text is too long, isn't a
  ///   URL, or contains text that other software may read differently.
  package init(_ text: String) throws(URLPartsError) {
    bytes = Array(text.utf8)
    let end = bytes.count
    firstEncoded = end
    guard end <= Self.sizeLimit else {
      throw URLPartsError(
        offset: Self.sizeLimit, reason: "the URL has more than \(Self.sizeLimit) bytes; send the data another way")
    }
    // In one pass, find the ends of the path and the query, the first percent sign, and the first
    // backslash before the end of the path.
    var (fragmentStart, pathEnd, backslash) = (end, end, end)
    for (offset, byte) in bytes.enumerated() where byte < 0x40 || byte == UInt8(ascii: "\\") || byte == 0x7f {
      if byte.isControl {
        throw URLPartsError(offset: offset, reason: "a URL must not contain a control character")
      }
      if byte == UInt8(ascii: "%") { firstEncoded = min(firstEncoded, offset) }
      guard offset < fragmentStart else { continue }
      if byte == UInt8(ascii: "#") {
        (fragmentStart, pathEnd) = (offset, min(pathEnd, offset))
      } else if offset < pathEnd, byte == UInt8(ascii: "?") {
        pathEnd = offset
      } else if offset < min(pathEnd, backslash), byte == UInt8(ascii: "\\") {
        backslash = offset
      }
    }
    var rest = try splitScheme()
    if fragmentStart < end { fragmentRange = (fragmentStart + 1)..<end }
    if pathEnd < fragmentStart { queryRange = (pathEnd + 1)..<fragmentStart }
    if backslash < end {
      throw URLPartsError(
        offset: backslash, reason: "a backslash is ambiguous, because some software reads it as a slash; write '%5C'")
    }
    if pathEnd - rest >= 2, bytes[rest] == UInt8(ascii: "/"), bytes[rest + 1] == UInt8(ascii: "/") {
      let start = rest + 2
      rest = bytes[start..<pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? pathEnd
      try splitAuthority(start..<rest)
    } else if rest < pathEnd, bytes[rest] == UInt8(ascii: "/"), !isWeb {
      // In RFC 8089, `file:/a` means `file:///a`. Browsers read `https:/a` as `https://a`, so don't
      // give web URLs with one slash an empty host; only a fallback matches them.
      (hostRange, hostValueRange) = (rest..<rest, rest..<rest)
    }
    pieces.reserveCapacity(4)
    hasDotSegments = splitPath(rest..<pathEnd)
    pathCount = pieces.count
    splitFragment()
  }

  /// The byte between the path's segments and the fragment's segments. UTF-8 text never contains
  /// this byte, so no literal or segment equals it.
  static let fragmentSeparator: UInt8 = 0xff

  /// The scheme in lowercase.
  package var scheme: String { bytes[schemeRange].text }
  /// The host in canonical form (see ``HostText``), or nil if the URL has no host. `file:/a` has an
  /// empty host, like `file:///a`.
  package var host: String? { hostRange.map { bytes[$0].text } }
  /// The decoded segments of the path, without an empty segment for a trailing slash. A segment
  /// that can't be decoded is unchanged.
  package var segments: [String] { pieces[..<pathCount].map { bytes[$0.decoded].text } }
  /// The decoded fragment, or the original fragment if decoding fails.
  package var fragment: String? { fragmentRange.map(decoded) }

  /// The decoded items of the query in URL order.
  ///
  /// A name can occur more than once. A name or value that can't be decoded is unchanged.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the query. Each access splits the query.
  package var queryItems: [QueryItem] { items(in: queryRange) }

  /// The decoded query items in a fragment that is a path, as in `#/orders?page=2`.
  package var fragmentQueryItems: [QueryItem] { items(in: fragmentQueryRange) }

  private func items(in range: Range<Int>?) -> [QueryItem] {
    guard let range else { return [] }
    return bytes[range].split(separator: UInt8(ascii: "&")).map { item in
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else {
        return (decoded(item.startIndex..<item.endIndex), nil)
      }
      return (decoded(item.startIndex..<equals), decoded((equals + 1)..<item.endIndex))
    }
  }

  private func decoded(_ range: Range<Int>) -> String {
    (PercentEncoding.decoded(bytes[range]).map { $0[...] } ?? bytes[range]).text
  }

  /// True for web schemes, whose hosts are domain names.
  private var isWeb: Bool { Self.port(of: bytes[schemeRange]) != nil }

  /// Returns the default port of a web scheme, or nil for other schemes.
  static func port(of scheme: some Collection<UInt8>) -> Int? {
    if scheme.equals("https") || scheme.equals("wss") { return 443 }
    if scheme.equals("http") || scheme.equals("ws") { return 80 }
    return scheme.equals("ftp") ? 21 : nil
  }

  /// Returns the offset after the scheme.
  private mutating func splitScheme() throws(URLPartsError) -> Int {
    let colon = bytes.prefix(while: \.isScheme).count
    guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"), bytes[0].isLetter else {
      throw URLPartsError(offset: colon, reason: "missing scheme; pass the whole URL, as in 'shop://order/7'")
    }
    schemeRange = 0..<colon
    if bytes[schemeRange].contains(where: \.isCapital) {
      schemeRange = append(bytes[schemeRange].map(\.small))
    }
    return colon + 1
  }

  private mutating func splitAuthority(_ authority: Range<Int>) throws(URLPartsError) {
    var host = authority
    if let at = bytes[authority].firstIndex(of: UInt8(ascii: "@")) {
      // Skip the user information, because matching ignores it.
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
    hostValueRange = host
    if !HostText.isCanonical(bytes[host]) {
      guard let forms = HostText(bytes[host], isName: isWeb) else {
        throw URLPartsError(offset: host.lowerBound, reason: "invalid host")
      }
      host = append(forms.canonical)
      hostValueRange = append(forms.value)
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

  private mutating func append(_ text: [UInt8]) -> Range<Int> {
    bytes += text
    return (bytes.count - text.count)..<bytes.count
  }

  /// Adds the segments of a fragment that is a path, as in `#/orders/7`. An empty fragment is a
  /// path without segments, like the path of `shop://order`.
  private mutating func splitFragment() {
    guard let fragment = fragmentRange, fragment.isEmpty || bytes[fragment].first == UInt8(ascii: "/") else { return }
    let end = bytes[fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment.upperBound
    let separator = append([Self.fragmentSeparator])
    pieces.append(Piece(decoded: separator, isMalformed: false))
    if splitPath(fragment.lowerBound..<end) {
      // Dot segments have no defined meaning in a fragment, so don't treat it as a path.
      pieces.removeSubrange(pathCount...)
    } else if end < fragment.upperBound {
      fragmentQueryRange = (end + 1)..<fragment.upperBound
    }
  }

  /// Adds the segments of a path, and returns true if it contains a dot segment.
  private mutating func splitPath(_ path: Range<Int>) -> Bool {
    var hasDotSegments = false
    var start = path.lowerBound
    if !path.isEmpty, bytes[start] == UInt8(ascii: "/") { start += 1 }
    // A trailing slash starts no segment: the loop ends, because `start` is the end of the path.
    while start < path.upperBound {
      let end = bytes[start..<path.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? path.upperBound
      let decoded = end <= firstEncoded ? start..<end : PercentEncoding.decode(start..<end, in: &bytes)
      if let decoded, bytes[decoded].isDots { hasDotSegments = true }
      pieces.append(Piece(decoded: decoded ?? start..<end, isMalformed: decoded == nil))
      start = end + 1
    }
    return hasDotSegments
  }
}

/// An error about text that is too long, isn't a URL, or may be read as different URLs.
package struct URLPartsError: Error, Sendable, CustomStringConvertible {
  /// The offset of the problem in UTF-8 bytes.
  package let offset: Int
  /// The problem, and a suggestion if there is one.
  package let reason: String

  package var description: String { "\(reason) (at byte \(offset) of the URL)" }
}
