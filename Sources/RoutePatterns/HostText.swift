/// The one form of a host in which hosts are compared.
///
/// Decoded, in small letters, and of labels that are not ASCII the form that begins with `xn--` (RFC 3492), so that
/// `bücher.example` is `xn--bcher-kva.example`. Addresses of IPv6 stay in their brackets. Different ways to write one address
/// stay different hosts, and nothing is composed or decomposed.
enum HostText {
  /// That form of a host as it stands in a URL; nil if it has something that no host may have.
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

  /// Whether a host in ASCII is in that form as it stands.
  static func isCanonical(_ host: ArraySlice<UInt8>) -> Bool {
    host.allSatisfy { $0 < 0x80 && !$0.isCapital && !isForbidden($0) }
  }

  /// Whether no host has a byte: what separates the parts of URLs, however it is encoded.
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

  /// An address in brackets.
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
      // Nothing becomes ASCII that was not: there are capital letters, as that for Kelvin, whose small ones are.
      let mapped = scalar.properties.lowercaseMapping.unicodeScalars
      if scalar.isASCII || !mapped.contains(where: \.isASCII) { scalars += mapped } else { scalars.append(scalar) }
    }
    // No name on the net is longer, and the algorithm takes quadratic time.
    guard scalars.count <= 63, !scalars.allSatisfy(\.isASCII) else {
      return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }
    return Array("xn--".utf8) + Punycode.encode(scalars)
  }
}
