/// The forms of a host: the canonical one, in which patterns and URLs are compared, and the value.
///
/// The value is what a parameter receives: the decoded text in the URL's case. Foundation encodes
/// international hosts, so the value contains the decoded form of labels such as `xn--bcher-kva`.
///
/// A canonical host is decoded and in lowercase, but labels that aren't ASCII have their encoded
/// form (RFC 3492): `bücher.example` is `xn--bcher-kva.example`. IPv6 addresses keep their
/// brackets. Different spellings of one address remain different hosts, and Unicode normalization
/// is not applied.
struct HostText {
  let canonical: [UInt8]
  /// The decoded text. It has as many dots as the canonical form.
  let value: [UInt8]

  /// Creates the forms of a host in a URL, or returns nil if a character cannot occur in the host.
  ///
  /// - Parameter isName: True for a domain name, as in web addresses. Other hosts can contain any
  ///   character in its encoded form.
  init?(_ host: some Sequence<UInt8>, isName: Bool) {
    let host = Array(host)
    if host.first == UInt8(ascii: "[") {
      guard let address = Self.address(host) else { return nil }
      (canonical, value) = (address, host)
      return
    }
    guard !host.contains(where: { $0 != UInt8(ascii: "%") && Self.isForbidden($0) }),
      let decoded = PercentEncoding.decoded(host), !isName || !decoded.contains(where: Self.isForbidden)
    else { return nil }
    canonical = Self.joined(decoded, Self.canonicalLabel)
    value = Self.joined(decoded, Self.valueOfLabel)
  }

  /// Returns the canonical form of a domain name, or nil for other text.
  static func canonical(_ host: some Sequence<UInt8>) -> [UInt8]? { HostText(host, isName: true)?.canonical }

  /// Returns true for an ASCII host that is both its canonical form and its value.
  static func isCanonical(_ host: ArraySlice<UInt8>) -> Bool {
    var isStart = true
    for index in host.indices {
      let byte = host[index]
      guard byte < 0x80, !byte.isCapital, !isForbidden(byte) else { return false }
      if isStart, byte == UInt8(ascii: "x"), isEncoded(host[index...]) { return false }
      isStart = byte == UInt8(ascii: ".")
    }
    return true
  }

  /// Returns the part of a host's value that a parameter with a suffix receives. The host's
  /// canonical form ends with the suffix, which is empty or begins with a dot.
  static func part(of value: ArraySlice<UInt8>, before suffix: some Sequence<UInt8>) -> ArraySlice<UInt8> {
    var part = value
    // The labels of both forms can differ in size, but not in number.
    for byte in suffix where byte == UInt8(ascii: ".") {
      part = part[..<(part.lastIndex(of: UInt8(ascii: ".")) ?? part.startIndex)]
    }
    return part
  }

  private static func joined(_ host: [UInt8], _ form: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
    Array(
      host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(form)
        .joined(separator: [UInt8(ascii: ".")]))
  }

  private static func isEncoded(_ label: ArraySlice<UInt8>) -> Bool {
    label.prefix(4).lazy.map(\.small).elementsEqual("xn--".utf8)
  }

  private static func valueOfLabel(_ label: ArraySlice<UInt8>) -> [UInt8] {
    // Decode only what the same algorithm encodes, so that the value has the same canonical form.
    // Longer labels cannot occur in DNS, and decoding takes quadratic time.
    guard isEncoded(label), label.count <= 256, let scalars = Punycode.decode(label.dropFirst(4).map(\.small)),
      !scalars.contains(where: { (0x80..<0xa0).contains($0.value) })
    else { return Array(label) }
    let value = Array(String(String.UnicodeScalarView(scalars)).utf8)
    return canonicalLabel(value[...]) == label.map(\.small) ? value : Array(label)
  }

  /// Returns true for bytes that separate components of URLs, or that no URL contains.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7f, UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: ":"),
      UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"),
      UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// Returns the canonical form of an address in brackets, or nil if it is malformed.
  private static func address(_ host: [UInt8]) -> [UInt8]? {
    let inner = host.dropFirst().dropLast()
    guard host.count > 2, host.last == UInt8(ascii: "]"),
      inner.allSatisfy({ $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") || !isForbidden($0) && $0 < 0x80 })
    else { return nil }
    return host.map(\.small)
  }

  private static func canonicalLabel(_ label: ArraySlice<UInt8>) -> [UInt8] {
    if label.allSatisfy({ $0 < 0x80 }) { return label.map(\.small) }
    var scalars: [Unicode.Scalar] = []
    for scalar in label.text.unicodeScalars {
      // Keep a scalar whose lowercase form is ASCII, such as the Kelvin sign. Otherwise, an
      // international host would equal an ASCII host that only looks similar.
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
