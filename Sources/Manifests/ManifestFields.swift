import Lifecycle
import Registry

/// The members of a manifest entry, read one after the other, and the problems with them.
struct ManifestFields {
  let file: String
  let location: String
  private var members: [String: PropertyValue]
  private var known: [String] = []
  private(set) var problems: [ManifestProblem] = []

  /// Creates the fields of an entry, or reports that it is not a dictionary.
  ///
  /// - Parameter wanted: The form of an entry, for a message.
  init?(_ value: PropertyValue, file: String, location: String, wanted: String, problems: inout [ManifestProblem]) {
    guard case .dictionary(let members) = value else {
      problems.append(
        ManifestProblem(
          file: file, location: location,
          message: "\(value.summary) where an object is wanted: \(wanted); it is left out"))
      return nil
    }
    self.file = file
    self.location = location
    self.members = members
  }

  /// Adds a problem with a member.
  mutating func add(_ key: String, _ message: String) {
    problems.append(
      ManifestProblem(file: file, location: "\(location).\(key)", message: "\(message); the entry is left out"))
  }

  private mutating func take(_ key: String) -> PropertyValue? {
    known.append(key)
    return members.removeValue(forKey: key)
  }

  /// Returns a required text.
  mutating func name(_ key: String, _ example: String) -> String {
    guard let value = take(key) else {
      // A likely mistake of the entry, because an unknown member may be a misspelled one.
      let hint =
        key.nearest(in: members.keys.sorted()).map { "; is \"\($0.escapedForDisplay())\" meant to be it?" } ?? ""
      add(key, "it is not there, and must be: \"\(key)\": \"\(example)\"\(hint)")
      return ""
    }
    guard case .string(let text) = value, !text.isEmpty else {
      add(key, "\(value.summary) where a name is wanted, as \"\(example)\"")
      return ""
    }
    return text
  }

  mutating func string(_ key: String) -> String? {
    guard let value = take(key) else { return nil }
    if case .string(let text) = value, !text.isEmpty { return text }
    add(key, "\(value.summary) where a string that is not empty is wanted; leave \"\(key)\" out if there is none")
    return nil
  }

  /// Returns an integer, which can be in a string only in files whose own readers accept that.
  mutating func integer(_ key: String, orString: Bool = false) -> Int {
    guard let value = take(key) else { return 0 }
    switch value {
    case .integer(let integer): return integer
    case .double(let number):
      if let integer = Int(exactly: number) { return integer }
    case .string(let text) where orString:
      if let integer = Int(text) { return integer }
    default: break
    }
    add(key, "\(value.summary) where an integer of 64 bits is wanted, as 10 or -5")
    return 0
  }

  mutating func boolean(_ key: String) -> Bool {
    guard let value = take(key) else { return false }
    if case .bool(let truth) = value { return truth }
    add(key, "\(value.summary) where true or false is wanted")
    return false
  }

  mutating func names(_ key: String) -> [String] {
    guard let value = take(key) else { return [] }
    do throws(ConfigurationMismatch) {
      return try value.read(as: [String].self)
    } catch {
      add(key + error.path, "\(error.found) where \(error.path.isEmpty ? "an array of names" : "a name") is wanted")
      return []
    }
  }

  /// Returns one of a few words.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ key: String, default standard: Word) -> Word {
    guard let value = take(key) else { return standard }
    if case .string(let text) = value, let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    var hint = ""
    if case .string(let text) = value, let nearest = text.nearest(in: words) { hint = "; is \"\(nearest)\" meant?" }
    add(key, "\(value.summary) where \(words.map { "\"\($0)\"" }.joined(separator: " or ")) is wanted\(hint)")
    return standard
  }

  /// Adds the unknown members as problems, and returns whether the entry can be used.
  mutating func finish(_ problems: inout [ManifestProblem]) -> Bool {
    for key in members.keys.sorted() {
      add(key, Self.unknown(key, among: known))
    }
    problems += self.problems
    return self.problems.isEmpty
  }

  /// Returns the message for an unknown key.
  static func unknown(_ key: String, among known: [String]) -> String {
    if let nearest = key.nearest(in: known) { return "there is no such key; is \"\(nearest)\" meant?" }
    return "there is no such key, only \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
  }
}
