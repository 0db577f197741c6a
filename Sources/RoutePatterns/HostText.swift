/// The canonical form of hosts, in which patterns and URLs are compared.
///
/// A canonical host is decoded and in lowercase. A label that is not ASCII has its encoded form
/// (RFC 3492), so that `bücher.example` is `xn--bcher-kva.example`. IPv6 addresses keep their
/// brackets. Different spellings of one address remain different hosts, and Unicode normalization
/// is not applied.
enum HostText {
  /// Returns the canonical form of a host in a URL, or nil if a character cannot occur in a host.
  static func canonical(_ host: some Sequence<UInt8>) -> [UInt8]? {
    let host = Array(host)
    if host.first == UInt8(ascii: "[") { return address(host) }
    guard let decoded = PercentEncoding.decoded(host), !decoded.contains(where: isForbidden) else { return nil }
    if decoded.allSatisfy({ $0 < 0x80 }) { return decoded.map(small) }
    var result: [UInt8] = []
    for (number, label) in decoded.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).enumerated() {
      if number > 0 { result.append(UInt8(ascii: ".")) }
      result += canonicalLabel(label)
    }
    return result
  }

  /// Returns whether a host is ASCII and already has its canonical form.
  static func isCanonical(_ host: ArraySlice<UInt8>) -> Bool {
    host.allSatisfy { $0 < 0x80 && !$0.isCapital && !isForbidden($0) }
  }

  /// Returns whether a byte cannot occur in a host, encoded or not.
  ///
  /// These bytes separate the components of URLs, or no URL contains them.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7f, UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: ":"),
      UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"),
      UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  private static func small(_ byte: UInt8) -> UInt8 { byte.isCapital ? byte | 0x20 : byte }

  /// Returns the canonical form of an address in brackets, or nil if it is malformed.
  private static func address(_ host: [UInt8]) -> [UInt8]? {
    let inner = host.dropFirst().dropLast()
    guard host.count > 2, host.last == UInt8(ascii: "]"),
      inner.allSatisfy({ $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") || !isForbidden($0) && $0 < 0x80 })
    else { return nil }
    return host.map(small)
  }

  private static func canonicalLabel(_ label: ArraySlice<UInt8>) -> [UInt8] {
    var scalars: [Unicode.Scalar] = []
    for scalar in label.text.unicodeScalars {
      // Keep a scalar whose lowercase form is ASCII, such as the Kelvin sign. Otherwise, an
      // international host would be equal to an ASCII host that only looks similar.
      let mapped = scalar.properties.lowercaseMapping.unicodeScalars
      if scalar.isASCII || !mapped.contains(where: \.isASCII) { scalars += mapped } else { scalars.append(scalar) }
    }
    // Longer labels cannot occur in DNS, and the algorithm takes quadratic time.
    guard scalars.count <= 63, !scalars.allSatisfy(\.isASCII) else {
      return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }
    return Array("xn--".utf8) + Punycode.encode(scalars)
  }
}
