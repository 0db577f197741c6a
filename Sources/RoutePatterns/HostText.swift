/// A host in two forms: the canonical form for comparing, and the value that parameters receive.
///
/// The value is decoded and keeps the URL's case, except that decoded `xn--` labels are in
/// lowercase: `xn--bcher-kva`, which Foundation writes for `bücher`, becomes `bücher` again.
///
/// The canonical form is percent-decoded and in lowercase, with non-ASCII labels of at most 63
/// characters in Punycode: `bücher.example` becomes `xn--bcher-kva.example`. IPv6 addresses keep
/// their brackets. Spellings of an address that differ in more than case remain different hosts,
/// and Unicode normalization isn't applied.
struct HostText {
  let canonical: [UInt8]
  /// The decoded text, with as many dots as the canonical form.
  let value: [UInt8]

  /// Creates both forms of a URL's host, or returns nil if the host is malformed.
  ///
  /// - Parameter isName: True if the host is a domain name. Other hosts can contain any
  ///   percent-encoded character.
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

  /// Returns the canonical form of a host or host suffix in a pattern, or nil if it's malformed.
  static func canonical(_ host: some Sequence<UInt8>) -> [UInt8]? { HostText(host, isName: true)?.canonical }

  /// Returns whether a host equals both forms; false if it isn't ASCII or has brackets or `xn--`.
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

  /// Returns a host's value without the suffix that follows a parameter in a pattern. The canonical
  /// form of the host ends with the suffix, which is empty or begins with a dot.
  static func part(of value: ArraySlice<UInt8>, before suffix: some Sequence<UInt8>) -> ArraySlice<UInt8> {
    var part = value
    // Count labels instead of bytes, because a label's two forms can differ in size.
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
    // Don't decode long labels: they can't occur in DNS, and decoding takes quadratic time.
    guard isEncoded(label), label.count <= 256, let scalars = Punycode.decode(label.dropFirst(4).map(\.small)),
      !scalars.contains(where: { (0x80..<0xa0).contains($0.value) })
    else { return Array(label) }
    let value = Array(String(String.UnicodeScalarView(scalars)).utf8)
    // Use the decoded text only if encoding it results in the same label.
    return canonicalLabel(value[...]) == label.map(\.small) ? value : Array(label)
  }

  /// Returns true for bytes that domain names can't contain: URL separators and invalid characters.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7f, UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: ":"),
      UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"),
      UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// Returns the canonical form of an address in brackets, or nil if it's malformed.
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
      // Don't lowercase a non-ASCII scalar whose lowercase form contains ASCII, such as the Kelvin
      // sign. Otherwise, an international host would equal an ASCII host that only looks similar.
      let mapped = scalar.properties.lowercaseMapping.unicodeScalars
      if scalar.isASCII || !mapped.contains(where: \.isASCII) { scalars += mapped } else { scalars.append(scalar) }
    }
    // DNS labels have at most 63 characters, and encoding longer labels takes quadratic time.
    guard scalars.count <= 63, !scalars.allSatisfy(\.isASCII) else {
      return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }
    return Array("xn--".utf8) + Punycode.encode(scalars)
  }
}
