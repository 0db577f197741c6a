extension MacroUse {
  func integer(_ label: String) -> Int64 {
    guard let tokens = next(label) else { return 0 }
    do {
      return try source.integer(tokens)
    } catch .tooLarge {
      report(.integerTooLarge, "'\(label)' does not fit in a signed 64-bit integer", at: tokens)
    } catch {
      reportValue(label, "an integer literal such as '10' or '-5'", at: tokens)
    }
    return 0
  }

  func boolean(_ label: String) -> Bool {
    guard let tokens = next(label) else { return false }
    let isTrue = tokens.count == 1 && source.isWord(tokens.lowerBound, "true")
    if !isTrue, tokens.count != 1 || !source.isWord(tokens.lowerBound, "false") {
      reportValue(label, "written as 'true' or 'false'", at: tokens)
    }
    return isTrue
  }

  func text(_ label: String) -> String? { next(label).flatMap { text(label, $0) } }

  func text(_ label: String, _ tokens: Range<Int>, canBeEmpty: Bool = false) -> String? {
    do {
      let text = try source.string(tokens)
      if text.isEmpty, !canBeEmpty {
        report(.invalidName, "\(subject(label)) must not be empty", at: tokens)
      } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        let requirement = "must not contain control characters such as line breaks"
        report(.invalidName, "\(subject(label)) \(requirement)", at: tokens)
      } else {
        return text
      }
    } catch .interpolation {
      reportValue(label, "a string literal without interpolation", at: tokens)
    } catch {
      let type = label == "replaces" || label == "module" ? ", or a type such as 'T.self'" : ""
      reportValue(label, "a string literal on one line such as '\"name\"'\(type)", at: tokens)
    }
    return nil
  }

  /// - Parameters:
  ///   - standard: The default case. Its result is nil, as if the argument were omitted.
  ///   - named: The name of the case that has a string as its associated value, or nil.
  func choice(
    _ label: String, of type: StaticString, _ cases: [String], standard: String? = nil, named: String? = nil
  ) -> String? {
    guard let tokens = next(label) else { return nil }
    if let name = source.member(tokens, of: type), cases.contains(name) { return name == standard ? nil : name }
    if let named, let bracket = tokens.first(where: { source.isMark($0, "(") }),
      source.afterBracket(bracket) == tokens.upperBound,
      source.member(tokens.lowerBound..<bracket, of: type) == named
    {
      let value = source.split(source.insideBracket(bracket)).first
      return value.flatMap { text(".\(named)", $0) }.map { "\(named)(\($0))" }
    }
    let all = cases + (named.map { ["\($0)(\"name\")"] } ?? [])
    reportValue(label, "written as \(all.map { "'.\($0)'" }.alternatives)", at: tokens)
    return nil
  }

  func condition() -> String? {
    choice("when", of: "ServiceCondition", ["debug", "release", "preview", "test"], named: "flag")
  }

  private func reportValue(_ label: String, _ requirement: String, at tokens: Range<Int>) {
    let reader = request.declaration == nil ? "macro" : "attribute"
    report(
      .notALiteral, "\(subject(label)) must be \(requirement); the \(reader) cannot evaluate expressions",
      at: tokens)
  }

  private func subject(_ label: String) -> String {
    label == "after" ? "a name in 'after'" : label.hasPrefix(".") ? "the name in '\(label)'" : "'\(label)'"
  }
}
