import Lifecycle
import Registry

/// The members of a manifest entry, read one by one, and the problems with them.
struct ManifestFields {
  let file: String
  let location: String
  /// The members that have not been read.
  private(set) var members: [String: PropertyValue]
  private(set) var known: [String] = []
  private(set) var problems: [ManifestProblem] = []

  /// Adds a problem with a member. The hint, which suggests a fix, ends the message.
  mutating func add(_ key: String, _ message: String, hint: String = "") {
    problems.append(
      ManifestProblem(file: file, location: "\(location).\(key)", message: "\(message); the entry is ignored\(hint)"))
  }

  private mutating func take(_ key: String) -> PropertyValue? {
    known.append(key)
    return members.removeValue(forKey: key)
  }

  /// Returns a required string, or reports that it's missing.
  mutating func name(_ key: String, _ example: String) -> String {
    guard let value = take(key) else {
      // An unknown member may be a misspelling of the required member.
      let hint =
        key.nearest(in: members.keys).map { "; '\($0.escapedForDisplay())' may be a misspelling of it" } ?? ""
      add(key, "missing required key, for example '\"\(key)\": \"\(example)\"'", hint: hint)
      return ""
    }
    guard case .string(let text) = value, !text.isEmpty else {
      add(key, "expected a name such as '\"\(example)\"', but found \(value.summary)")
      return ""
    }
    return text
  }

  mutating func string(_ key: String) -> String? {
    guard let value = take(key) else { return nil }
    if case .string(let text) = value, !text.isEmpty { return text }
    add(key, "expected a nonempty string, but found \(value.summary)", hint: "; omit '\(key)' if there is none")
    return nil
  }

  /// Returns an integer. With `orString`, it can be in a string, as in BeeHive's files.
  mutating func integer(_ key: String, orString: Bool = false) -> Int {
    if orString, case .string(let text)? = members[key], let integer = Int64(text) {
      members[key] = .integer(integer)
    }
    return read(key, "a 64-bit integer such as '10' or '-5'") ?? 0
  }

  mutating func boolean(_ key: String) -> Bool { read(key, "'true' or 'false'") ?? false }

  mutating func names(_ key: String) -> [String] { read(key, "an array of names") ?? [] }

  /// Returns the value of a member, or nil if the member is missing or has another type.
  private mutating func read<Value>(_ key: String, _ expected: String) -> Value? {
    guard let value = take(key) else { return nil }
    do throws(ConfigurationMismatch) {
      return try value.read(as: Value.self)
    } catch {
      add(key + error.path, "expected \(error.path.isEmpty ? expected : "a name"), but found \(error.found)")
      return nil
    }
  }

  mutating func word<Word>(_ key: String, _ words: KeyValuePairs<String, Word>, default standard: Word) -> Word {
    choice(key, words.map(\.key)) { text in words.first { $0.key == text }?.value } ?? standard
  }

  mutating func scope(_ key: String) -> ServiceScope {
    choice(key, ["transient", "shared", "weak", "cached(name)"], ServiceScope.init(recordText:)) ?? .transient
  }

  private mutating func choice<Value>(_ key: String, _ words: [String], _ read: (String) -> Value?) -> Value? {
    guard let value = take(key) else { return nil }
    let text: String? = if case .string(let text) = value { text } else { nil }
    if let choice = text.flatMap(read) { return choice }
    add(
      key, "expected \(words.quotedList("or")), but found \(value.summary)", hint: text?.suggestion(in: words) ?? "")
    return nil
  }

  /// Adds a problem for each unknown member, and returns true if the entry has no problems.
  mutating func finish(_ problems: inout [ManifestProblem]) -> Bool {
    for key in members.keys.sorted() {
      add(key, "unknown key", hint: Self.hint(key, among: known))
    }
    problems += self.problems
    return self.problems.isEmpty
  }

  static func hint(_ key: String, among known: [String]) -> String {
    if key == "replaysMissedPhases", known.contains("catchUp") { return "; write 'catchUp'" }
    let suggestion = key.suggestion(in: known)
    return suggestion.isEmpty ? "; the known keys are \(known.quotedList("and"))" : suggestion
  }
}
