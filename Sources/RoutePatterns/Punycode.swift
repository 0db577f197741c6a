/// Punycode, the ASCII encoding of international host names (RFC 3492).
///
/// Foundation's URL parser uses this encoding only on newer systems, such as iOS 17. The compiler
/// plugin that reads patterns doesn't use Foundation.
enum Punycode {
  private static let base = 36, first = 1, last = 26, skew = 38, damp = 700

  /// Encodes a label with non-ASCII characters. The result has no `xn--` prefix. The label must
  /// have at most 63 scalars, because the algorithm takes quadratic time.
  static func encode(_ label: [Unicode.Scalar]) -> [UInt8] {
    var result = label.filter(\.isASCII).map { UInt8($0.value) }
    var done = result.count
    let basic = done
    if basic > 0 { result.append(UInt8(ascii: "-")) }
    var (next, delta, bias) = (128, 0, 72)
    while done < label.count {
      // `delta` can't overflow: it stays below 64 times 0x110000, because a label has at most 63
      // scalars.
      let least = label.lazy.map { Int($0.value) }.filter { $0 >= next }.min()!
      delta += (least - next) * (done + 1)
      next = least
      for scalar in label {
        if scalar.value < next { delta += 1 }
        guard scalar.value == next else { continue }
        append(delta, bias, to: &result)
        bias = adapt(delta, done + 1, isFirst: done == basic)
        delta = 0
        done += 1
      }
      delta += 1
      next += 1
    }
    return result
  }

  /// Decodes a label without its `xn--` prefix, or returns nil if the label is malformed. The label
  /// must be short, because the algorithm takes quadratic time.
  static func decode(_ label: [UInt8]) -> [Unicode.Scalar]? {
    let basicEnd = label.lastIndex(of: UInt8(ascii: "-")) ?? 0
    var result = label[..<basicEnd].map { Unicode.Scalar($0) }
    var digits = label[(basicEnd == 0 ? 0 : basicEnd + 1)...]
    var (next, index, bias) = (128, 0, 72)
    while !digits.isEmpty {
      let start = index
      var (weight, position) = (Int64(1), base)
      while true {
        guard let digit = digits.popFirst().flatMap(value) else { return nil }
        // A valid short label doesn't reach the limit. The weight is at most 35 times the last
        // index, so 64 bits are enough.
        let sum = Int64(index) + Int64(digit) * weight
        guard sum < 1 << 29 else { return nil }
        // On watchOS, an `Int` can have 32 bits.
        index = Int(sum)
        let threshold = min(max(position - bias, first), last)
        if digit < threshold { break }
        weight *= Int64(base - threshold)
        position += base
      }
      let count = result.count + 1
      bias = adapt(index - start, count, isFirst: start == 0)
      next += index / count
      index %= count
      guard next < 0x110000, let scalar = Unicode.Scalar(UInt32(next)) else { return nil }
      result.insert(scalar, at: index)
      index += 1
    }
    return result
  }

  private static func value(_ digit: UInt8) -> Int? {
    if digit.isDigit { return Int(digit) - 0x30 + 26 }
    return digit.isLetter ? Int(digit | 0x20) - 0x61 : nil
  }

  /// Appends a number as a generalized variable-length integer (RFC 3492, section 3.3).
  private static func append(_ number: Int, _ bias: Int, to result: inout [UInt8]) {
    var rest = number
    var position = base
    while true {
      let threshold = min(max(position - bias, first), last)
      if rest < threshold { break }
      result.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    result.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26) }

  private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var position = 0
    while delta > (base - first) * last / 2 {
      delta /= base - first
      position += base
    }
    return position + (base - first + 1) * delta / (delta + skew)
  }
}
