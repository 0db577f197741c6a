/// The forms of a host: the canonical one, in which patterns and URLs are compared, and the value.
///
/// The value is what a parameter receives: the decoded text with its case. Foundation writes an
/// international host in its encoded form, so a value contains the decoded form of labels such as
/// `xn--bcher-kva`.
///
/// A canonical host is decoded and in lowercase. A label that is not ASCII has its encoded form
/// (RFC 3492), so that `bücher.example` is `xn--bcher-kva.example`. IPv6 addresses keep their
/// brackets. Different spellings of one address remain different hosts, and Unicode normalization
/// is not applied.
struct HostText {
  let canonical: [UInt8]
  /// The decoded text. It has as many dots as the canonical form.
  let value: [UInt8]

  /// Creates the forms of a host in a URL, or returns nil if a character cannot occur in the host.
  ///
  /// - Parameters:
  ///   - host: The host as it is written in the URL.
  ///   - isName: A Boolean value that indicates whether the host is the name of a machine, as in
  ///     web addresses. Other hosts can contain every character in its encoded form.
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

  /// Returns the canonical form of the name of a machine, or nil if it is not one.
  static func canonical(_ host: some Sequence<UInt8>) -> [UInt8]? { HostText(host, isName: true)?.canonical }

  /// Returns whether a host is ASCII, and both its canonical form and its value.
  static func isCanonical(_ host: ArraySlice<UInt8>) -> Bool {
    host.allSatisfy { $0 < 0x80 && !$0.isCapital && !isForbidden($0) }
      && !host.indices.contains { index in
        (index == host.startIndex || host[index - 1] == UInt8(ascii: ".")) && isEncoded(host[index...])
      }
  }

  /// Returns the part of a host's value that a parameter with a suffix receives.
  ///
  /// - Parameters:
  ///   - value: The value of a host whose canonical form ends with the suffix.
  ///   - suffix: The canonical suffix, which is empty or begins with a dot.
  static func part(of value: ArraySlice<UInt8>, before suffix: some Sequence<UInt8>) -> ArraySlice<UInt8> {
    var part = value
    // The labels of both forms can have different sizes, but there are as many of them.
    for byte in suffix where byte == UInt8(ascii: ".") {
      part = part[..<(part.lastIndex(of: UInt8(ascii: ".")) ?? part.startIndex)]
    }
    return part
  }

  /// Returns the labels of a host in another form.
  private static func joined(_ host: [UInt8], _ form: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
    Array(
      host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(form)
        .joined(separator: [UInt8(ascii: ".")]))
  }

  /// Returns whether a label has the prefix of labels that are encoded.
  private static func isEncoded(_ label: ArraySlice<UInt8>) -> Bool {
    label.prefix(4).lazy.map(\.small).elementsEqual("xn--".utf8)
  }

  /// Returns a label as a parameter receives it.
  private static func valueOfLabel(_ label: ArraySlice<UInt8>) -> [UInt8] {
    // Decode only what the same algorithm encodes, so that the value has the same canonical form.
    // Longer labels cannot occur in DNS, and decoding takes quadratic time.
    guard isEncoded(label), label.count <= 256, let scalars = Punycode.decode(label.dropFirst(4).map(\.small)),
      !scalars.contains(where: { (0x80..<0xa0).contains($0.value) })
    else { return Array(label) }
    let value = Array(String(String.UnicodeScalarView(scalars)).utf8)
    return canonicalLabel(value[...]) == label.map(\.small) ? value : Array(label)
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
