extension String {
  /// Returns a copy of the string that is safe to display in a terminal or a log.
  ///
  /// Line breaks and control, format, private-use, and unassigned characters are escaped.
  ///
  /// - Parameter limit: The number of code points before truncation, including those in escapes.
  package func escapedForDisplay(limit: Int = 200) -> String {
    var text = ""
    var count = 0
    for scalar in unicodeScalars {
      guard count < limit else { return text + "… (\(utf8.count) bytes)" }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        let escape = "\\u{\(String(scalar.value, radix: 16))}"
        text += escape
        count += escape.utf8.count
      default:
        count += 1
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  package func quotedForDisplay() -> String { "'\(escapedForDisplay())'" }

  /// Returns an implementation's name as messages spell it, followed by the image.
  ///
  /// Quotes type names, but not descriptions of closures, such as
  /// `the factory at Cart/Cart.swift:5`.
  func implementationForDisplay(in image: LoadedImage?) -> String {
    (hasPrefix("the ") ? escapedForDisplay() : quotedForDisplay()) + (image.map { " (\($0))" } ?? "")
  }

  /// A Boolean value that indicates whether the text names a contribution point, such as
  /// `ContributionPoint<[Shop.Dish]>("shop.menu")`. Almost no type name ends with `")`.
  var isContributionPoint: Bool { hasSuffix("\")") }

  /// A key that sorts numbers of up to ten digits by value: `A.swift:9:1` precedes `A.swift:12:1`.
  package var naturalOrderKey: String {
    let width = 10
    var (key, digits): ([UInt8], [UInt8]) = ([], [])
    // A zero byte ends the last number. The text itself follows, to distinguish `1` from `01`.
    for byte in Array(utf8) + [0] {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        digits.append(byte)
        continue
      }
      if !digits.isEmpty { key += [UInt8](repeating: UInt8(ascii: "0"), count: max(0, width - digits.count)) }
      key += digits + [byte]
      digits = []
    }
    return String(decoding: key + Array(utf8), as: UTF8.self)
  }
}

extension [String] {
  /// Returns the strings in single quotes as a list, such as `'a', 'b', or 'c'`.
  ///
  /// - Parameters:
  ///   - conjunction: The word before the last element.
  ///   - limit: The maximum number of strings in the list; the others are only counted.
  package func quotedList(_ conjunction: String, limit: Int = .max) -> String {
    let last = Swift.min(count - 1, limit)
    var list = ""
    for (index, word) in enumerated() where index <= last {
      if index > 0 { list += last > 1 ? ", " : " " }
      if index > 0, index == last { list += "\(conjunction) " }
      list += index < limit ? word.quotedForDisplay() : "\(count - limit) more"
    }
    return list
  }
}

extension Array {
  /// Returns the steps of a cycle or chain on one line. If there are more than 20, a count replaces
  /// the ones in the middle.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package func spelledOut(_ describe: (Element) -> String) -> String {
    var steps: [String] = []
    for (index, step) in enumerated() where count <= 20 || index <= 10 || index >= count - 10 {
      steps.append(count > 20 && index == 10 ? "… \(count - 20) more …" : describe(step))
    }
    return steps.joined(separator: " → ")
  }
}

extension Int {
  /// Returns the number with a noun in the singular or plural, such as `1 module` or `2 modules`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

/// Returns whether a string is spelled like an identifier or a keyword, without backticks.
func isIdentifier(_ text: String) -> Bool {
  if text.utf8.count > 1_000 { return false }
  var isFirst = true
  for scalar in text.unicodeScalars {
    // Most characters are ASCII and don't need a slow lookup of Unicode properties.
    switch scalar {
    case "a"..."z", "A"..."Z", "_": break
    case "0"..."9": if isFirst { return false }
    default: if !scalar.properties.isXIDContinue { return false }
    }
    isFirst = false
  }
  return !isFirst
}
