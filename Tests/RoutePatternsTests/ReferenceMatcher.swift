import Foundation

@testable import RoutePatterns

// A second implementation of patterns that is as simple and slow as possible. It compares every
// pattern with the URL from left to right and sorts the matches. The fuzzer compiles this file too,
// and imports `RoutePatterns` as a module.

/// A match that the reference matcher found.
struct ReferenceMatch {
  let index: Int
  let values: [String]
  let rest: [String]?
}

/// Returns the decoded form of a percent-encoded text, or nil if it cannot be decoded.
///
/// This function replaces Foundation's, which repairs incomplete sequences.
private func unescaped(_ text: String) -> String? {
  var bytes: [UInt8] = []
  for (number, part) in text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).enumerated() {
    guard number > 0 else {
      bytes += part
      continue
    }
    guard part.count >= 2, !part.starts(with: "+".utf8), !part.starts(with: "-".utf8),
      let byte = UInt8(String(decoding: Array(part.prefix(2)), as: UTF8.self), radix: 16)
    else { return nil }
    bytes.append(byte)
    bytes += part.dropFirst(2)
  }
  let text = String(decoding: bytes, as: UTF8.self)
  return text.utf8.elementsEqual(bytes) ? text : nil
}

/// A URL that the reference matcher has parsed.
struct ReferenceURL {
  let scheme: String
  /// The canonical host; nil if the URL has neither an authority nor a slash after its scheme.
  let host: String?
  /// The decoded host, with its case.
  let hostValue: String
  let port: Int?
  /// The segments of the path, with their given spelling.
  ///
  /// The decoded form is nil if the segment cannot be decoded.
  let segments: [(decoded: String?, given: String)]
  /// The segments of the fragment; nil if it is not a path.
  let fragment: [(decoded: String?, given: String)]?

  /// Creates a parsed URL, or returns nil if the text is not a URL.
  init?(_ url: String) {
    guard !url.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else { return nil }
    let scalars = Array(url.unicodeScalars)
    func text(_ part: some Sequence<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(part)) }
    let sides = scalars.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let front = sides[0]
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0]
    guard let colon = front.firstIndex(of: ":"), !front.contains("\\") else { return nil }
    scheme = text(front[..<colon]).lowercased()
    let letters = "abcdefghijklmnopqrstuvwxyz".unicodeScalars
    guard let first = scheme.unicodeScalars.first, letters.contains(first),
      scheme.unicodeScalars.allSatisfy({ letters.contains($0) || "0123456789+-.".unicodeScalars.contains($0) }),
      front[..<colon].allSatisfy(\.isASCII)
    else { return nil }
    var path = Array(front[(colon + 1)...])
    if path.starts(with: "//".unicodeScalars) {
      let authority = path.dropFirst(2).prefix { $0 != "/" }
      path = Array(path.dropFirst(2 + authority.count))
      let sides = authority.split(separator: "@", omittingEmptySubsequences: false)
      guard sides.count <= 2, let place = sides.last else { return nil }
      guard let (host, value, port) = Self.place(text(place), isWeb: Self.ports[scheme] != nil) else { return nil }
      self.host = host
      hostValue = value
      self.port = Self.ports[scheme] == port ? nil : port
    } else {
      host = path.first == "/" && Self.ports[scheme] == nil ? "" : nil
      hostValue = ""
      port = nil
    }
    func segments(_ path: some Collection<Unicode.Scalar>) -> [(decoded: String?, given: String)] {
      var parts = (path.first == "/" ? Array(path.dropFirst()) : Array(path))
        .split(separator: "/", omittingEmptySubsequences: false)
      if parts.last?.isEmpty == true { parts.removeLast() }
      return parts.map { (unescaped(text($0)), text($0)) }
    }
    self.segments = segments(path)
    if sides.count == 2, sides[1].isEmpty || sides[1].first == "/" {
      let route = segments(sides[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0])
      fragment = route.contains { $0.decoded == "." || $0.decoded == ".." } ? nil : route
    } else {
      fragment = nil
    }
  }

  private static let ports = ["http": 80, "ws": 80, "https": 443, "wss": 443, "ftp": 21]

  private static func place(_ place: String, isWeb: Bool) -> (host: String, value: String, Int?)? {
    var host = place
    var port: Int?
    let end = place.hasPrefix("[") ? place.firstIndex(of: "]") : place.startIndex
    if let end, let colon = place.utf8[end...].firstIndex(of: UInt8(ascii: ":")) {
      let digits = place.utf8[place.utf8.index(after: colon)...]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      let significant = String(digits.drop { $0 == 0x30 }) ?? ""
      guard significant.utf8.count <= 5 else { return nil }
      port = digits.isEmpty ? nil : Int(significant) ?? 0
      guard port ?? 0 <= 65_535 else { return nil }
      host = String(place[..<colon])
    }
    if host.hasPrefix("[") {
      let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:%"
      let inner = host.lowercased().unicodeScalars.dropFirst().dropLast()
      guard host.utf8.count > 2, host.utf8.last == UInt8(ascii: "]"), host.utf8.allSatisfy({ $0 < 0x80 }),
        inner.allSatisfy({ allowed.unicodeScalars.contains($0) })
      else { return nil }
      return (host.lowercased(), host, port)
    }
    func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
      " \"#%/:<>?@[\\]^`{|}".unicodeScalars.contains(scalar) || scalar.value < 0x20 || scalar.value == 0x7f
    }
    guard let decoded = unescaped(host), !host.unicodeScalars.contains(where: { $0 != "%" && isForbidden($0) }),
      !isWeb || !decoded.unicodeScalars.contains(where: isForbidden)
    else { return nil }
    if decoded.utf8.allSatisfy({ $0 < 0x80 }), !decoded.lowercased().contains("xn--") {
      return (decoded.lowercased(), decoded, port)
    }
    // The forms of international hosts have their own tests, so the reference uses the library's.
    guard let forms = HostText(host.utf8, isName: isWeb) else { return nil }
    return (String(decoding: forms.canonical, as: UTF8.self), String(decoding: forms.value, as: UTF8.self), port)
  }
}

/// A matcher that compares patterns one by one.
struct ReferenceMatcher {
  private struct Pattern {
    let scheme: String
    let host: String?
    let port: Int?
    let segments: [String]
    let fragment: [String]?
  }

  /// The variants of each pattern, in the order of their optional segments.
  private let patterns: [[Pattern]]
  private let payloads: [Int]
  private let texts: [String]

  /// Creates a matcher from well-formed patterns and their payloads.
  init(_ entries: [(text: String, payload: Int)]) {
    texts = entries.map(\.text)
    payloads = entries.map(\.payload)
    patterns = texts.map { text in Self.variants(text).map(Self.pattern) }
  }

  /// Returns the texts of a pattern with and without each group of optional segments.
  private static func variants(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    guard let start = bytes.indices.dropLast().first(where: { bytes[$0...].starts(with: "(/".utf8) }) else {
      return [text]
    }
    var (depth, end) = (1, start + 1)
    while depth > 0 {
      depth += bytes[end] == UInt8(ascii: "(") ? 1 : bytes[end] == UInt8(ascii: ")") ? -1 : 0
      end += 1
    }
    let (front, group, rest) = (bytes[..<start], bytes[(start + 1)..<(end - 1)], bytes[end...])
    return [front + group + rest, front + rest].flatMap { variants(String(decoding: $0, as: UTF8.self)) }
  }

  private static func pattern(_ text: String) -> Pattern {
    let halves = text.components(separatedBy: "#")
    let sides = halves[0].components(separatedBy: "://")
    guard sides.count > 1 else {
      return Pattern(scheme: String(text.dropLast(3)).lowercased(), host: nil, port: nil, segments: [], fragment: nil)
    }
    var fragment = halves.count > 1 ? halves[1].components(separatedBy: "/").dropFirst() : nil
    if fragment?.last == "" { fragment?.removeLast() }
    var segments = sides.dropFirst().joined(separator: "://").components(separatedBy: "/")
    let place = segments.removeFirst()
    if segments.last == "" { segments.removeLast() }
    let scheme = sides[0].lowercased()
    let isDynamic = place.hasPrefix(":") || place == "*"
    let url = isDynamic ? nil : ReferenceURL(scheme + "://" + place)
    return Pattern(
      scheme: scheme, host: isDynamic ? place : url!.host!, port: url?.port, segments: segments,
      fragment: fragment.map(Array.init))
  }

  /// Returns all matches in order of precedence.
  func matches(_ text: String) -> [ReferenceMatch]? {
    guard let url = ReferenceURL(text) else { return nil }
    let isDotted = url.segments.contains { $0.decoded == "." || $0.decoded == ".." }
    var found: [(key: [[Int]], match: ReferenceMatch)] = []
    for (index, variants) in patterns.enumerated() {
      for pattern in variants where pattern.scheme == url.scheme {
        guard let patternHost = pattern.host else {
          let rest = (url.hostValue.isEmpty ? [] : [url.hostValue]) + url.segments.map { $0.decoded ?? $0.given }
          found.append(([[9]], ReferenceMatch(index: index, values: [], rest: rest)))
          continue
        }
        guard let host = url.host, !isDotted, pattern.port == url.port,
          var (key, values) = Self.compareHost(patternHost, host, url.hostValue),
          let path = Self.compare(pattern.segments, url.segments)
        else { continue }
        key += path.key
        values += path.values
        var rest = path.rest
        if let segments = pattern.fragment {
          guard let fragment = url.fragment, let route = Self.compare(segments, fragment) else { continue }
          // A fragment comes before the end of the path, which comes before `**`.
          key[key.count - 1] = [4]
          key += route.key
          values += route.values
          rest = route.rest
        }
        found.append((key, ReferenceMatch(index: index, values: values, rest: rest)))
      }
    }
    return found.sorted { a, b in
      for (x, y) in zip(a.key, b.key) where x != y { return x.lexicographicallyPrecedes(y) }
      let (i, j) = (a.match.index, b.match.index)
      if payloads[i] != payloads[j] { return payloads[i] < payloads[j] }
      return texts[i].utf8.lexicographicallyPrecedes(texts[j].utf8)
    }.map(\.match)
  }

  /// Compares the segments of a path or a fragment, or returns nil if they do not match.
  private static func compare(
    _ segments: [String], _ parts: [(decoded: String?, given: String)]
  ) -> (key: [[Int]], values: [String], rest: [String]?)? {
    let hasRest = segments.last == "**"
    let fixed = hasRest ? segments.dropLast() : segments[...]
    guard hasRest ? parts.count >= fixed.count : parts.count == fixed.count else { return nil }
    var key: [[Int]] = []
    var values: [String] = []
    for (segment, part) in zip(fixed, parts) {
      guard let (rank, value) = compare(segment, part.decoded, part.given) else { return nil }
      key.append(rank)
      if let value { values.append(value) }
    }
    key.append([hasRest ? 8 : 5])
    return (key, values, hasRest ? parts[fixed.count...].map { $0.decoded ?? $0.given } : nil)
  }

  /// Compares the host of a pattern with the host of a URL.
  private static func compareHost(_ host: String, _ canonical: String, _ value: String) -> ([[Int]], [String])? {
    guard host.hasPrefix(":") else {
      return compare(host, canonical, canonical).map { ([$0.0], []) }
    }
    let name = host.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let afterName = host.dropFirst(1 + name.count)
    let type = afterName.hasPrefix("(") ? String(afterName.dropFirst().prefix { $0 != ")" }) : nil
    var suffix = host.dropFirst(1 + name.count + (type.map { $0.utf8.count + 2 } ?? 0)).lowercased()
    if !suffix.utf8.allSatisfy({ $0 < 0x80 }) {
      suffix = String(decoding: HostText(suffix.utf8, isName: true)!.canonical, as: UTF8.self)
    }
    guard canonical.utf8.count > suffix.utf8.count, canonical.hasSuffix(suffix) || suffix.isEmpty else { return nil }
    let labels = value.components(separatedBy: ".")
    let own = labels.dropLast(suffix.components(separatedBy: ".").count - 1).joined(separator: ".")
    guard let found = compare(":x" + (type.map { "(\($0))" } ?? ""), own, own) else { return nil }
    var rank = found.0
    rank[1] = -suffix.utf8.count
    return ([rank], [own])
  }

  /// Compares a segment of a pattern with a segment of a URL.
  ///
  /// - Returns: The precedence of the segment, where the smallest is the most specific, and the
  ///   value of its parameter; nil if the segments do not match.
  private static func compare(_ segment: String, _ decoded: String?, _ given: String) -> ([Int], String?)? {
    if segment == "*" { return given.isEmpty ? nil : ([7], nil) }
    guard segment.hasPrefix(":") else {
      guard let decoded, let own = unescaped(segment) else { return nil }
      return own.utf8.elementsEqual(decoded.utf8) ? ([0], nil) : nil
    }
    let name = segment.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    var suffix = String(segment.dropFirst(1 + name.count))
    var type: String?
    if suffix.hasPrefix("(") {
      type = suffix.dropFirst().components(separatedBy: ")")[0]
      suffix = String(suffix.dropFirst(type!.count + 2))
    }
    suffix = unescaped(suffix)!
    if type == nil, suffix.isEmpty { return given.isEmpty ? nil : ([3, 0], decoded ?? given) }
    guard let decoded, decoded.utf8.count > suffix.utf8.count,
      decoded.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    else { return nil }
    let value = String(decoding: Array(decoded.utf8.dropLast(suffix.utf8.count)), as: UTF8.self)
    guard let type else { return ([3, -suffix.utf8.count], value) }
    let types = ["uuid", "bool", "uint", "int", "double", "name"]
    guard isValue(value, type.lowercased()) else { return nil }
    return ([1, -suffix.utf8.count, types.firstIndex(of: type.lowercased())!], value)
  }

  private static func isValue(_ text: String, _ type: String) -> Bool {
    let digits = { (text: Substring) in !text.isEmpty && text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) } }
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard text.utf8.count <= 64 || type == "name" else { return false }
    switch type {
    case "name":
      return ![".", ".."].contains(text)
        && text.unicodeScalars.allSatisfy { scalar in
          let excluded: [ClosedRange<UInt32>] = [
            0...0x1f, 0x2f...0x2f, 0x5c...0x5c, 0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x2028...0x202e,
            0x2066...0x2069,
          ]
          return !excluded.contains { $0.contains(scalar.value) }
        }
    case "uuid": return text.utf8.count == 36 && UUID(uuidString: text) != nil
    case "bool": return ["true", "false"].contains { $0.utf8.elementsEqual(text.utf8) }
    case "uint": return digits(text[...]) && UInt(text) != nil
    case "int": return digits(unsigned) && Int(text) != nil
    default:
      let halves = unsigned.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
      let mantissa = halves[0].split(separator: ".", omittingEmptySubsequences: false)
      guard halves.count <= 2, mantissa.count <= 2, mantissa.allSatisfy(digits) else { return false }
      if halves.count == 2 {
        let isSigned = halves[1].hasPrefix("-") || halves[1].hasPrefix("+")
        guard digits(isSigned ? halves[1].dropFirst() : halves[1]) else { return false }
      }
      return Double(text)!.isFinite
    }
  }
}
