public import Foundation
package import Registry

/// The rules about which Swift modules may use each other, and how.
///
/// ```swift
/// let rules = try RegistryRules(json: Data(contentsOf: file))
/// #expect(rules.violations(in: modules.snapshot()) == [])
/// ```
///
/// Analysis.md describes the JSON. `registry-tool check --write-rules` writes a first version.
public struct RegistryRules: Sendable {
  package static let formatVersion = 1

  /// The ways one Swift module can use another.
  enum Use: String, CaseIterable, Encodable {
    case need, replace, contribute, handle, follow
  }

  /// An element of `allow`, `forbid`, or `exceptions`.
  struct Entry: Encodable {
    var from: [String] = []
    var to: [String]?
    /// The selected uses; nil for all.
    var uses: [Use]?
    var reason: String?
  }

  /// The named sets of Swift modules, as patterns. A Swift module outside all sets is its own part.
  var parts: [String: [String]] = [:]
  /// The parts and Swift modules of each layer, beginning with the highest layer.
  package var layers: [[String]] = []
  var isAcyclic = false
  var allow: [Entry] = []
  var forbid: [Entry] = []
  var exceptions: [Entry] = []

  /// Reads rules from JSON.
  ///
  /// - Throws: An error that describes the problem if the rules are malformed.
  public init(json: Data) throws {
    let bytes = [UInt8](json)
    do throws(JSONError) {
      try bytes.withJSONReader { reader throws(JSONError) in try read(&reader) }
    } catch {
      let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw MalformedRules(message: "line \(line): \(error.message)")
    }
  }

  /// Returns a message for each forbidden use, for cycles, and for each error in the rules.
  ///
  /// Messages about uses contain the known locations. It's also an error if nothing is registered.
  public func violations(in snapshot: RegistrySnapshot) -> [String] {
    problems(in: snapshot).filter { $0.severity == "error" }.map { problem in
      let location = problem.location.map { " (\($0))" } ?? ""
      return "\(problem.subject.map { "\($0)\(location): " } ?? "")\(problem.message) [\(problem.code)]"
    }
  }
}

/// The error for JSON that isn't a valid set of rules.
package struct MalformedRules: Error, CustomStringConvertible {
  package let message: String

  package var description: String { "malformed rules: \(message) [\(Diagnostic.Code.malformedRules)]" }
}

extension Diagnostic.Code {
  package static var malformedRules: Self { "malformed-rules" }
  package static var forbiddenUse: Self { "forbidden-use" }
  package static var forbiddenCycle: Self { "forbidden-cycle" }
  package static var unusedRule: Self { "unused-rule" }
  package static var uncheckedUse: Self { "unchecked-use" }
}

// MARK: - Reading

extension RegistryRules {
  private mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    var version: Int?
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "version":
        guard case .number = try reader.kind() else { throw reader.error("'version' must be an integer") }
        let (number, known) = (try reader.integer(), Self.formatVersion)
        guard number == known else {
          throw reader.error("the rules have version \(number), but this version reads version \(known)")
        }
        version = number
      case "parts":
        var names = try reader.object()
        while let name = try reader.key(&names) {
          if name.string.utf8.contains(UInt8(ascii: "*")) {
            throw reader.error("the name of the part \(name.string.quotedForDisplay()) is a pattern; rename it")
          }
          parts[name.string] = try Self.names(&reader)
        }
      case "layers":
        try reader.array()
        while try reader.element() { layers.append(try Self.names(&reader)) }
      case "acyclic": isAcyclic = try reader.boolean()
      case "allow": allow = try Self.entries(&reader)
      case "forbid": forbid = try Self.entries(&reader)
      case "exceptions": exceptions = try Self.entries(&reader, areExceptions: true)
      default:
        let known = ["version", "parts", "layers", "acyclic", "allow", "forbid", "exceptions"]
        throw reader.error("unknown member \(key.string.quotedForDisplay())\(key.string.suggestion(in: known))")
      }
    }
    try reader.end()
    if version == nil { throw reader.error("missing member 'version'") }
  }

  private static func entries(
    _ reader: inout JSONReader, areExceptions: Bool = false
  ) throws(JSONError) -> [Entry] {
    var entries: [Entry] = []
    try reader.array()
    while try reader.element() {
      var entry = Entry()
      var keys = try reader.object()
      while let key = try reader.key(&keys) {
        switch key {
        case "from": entry.from = try names(&reader)
        case "to": entry.to = try names(&reader)
        case "uses":
          let words = try names(&reader)
          if words.isEmpty { throw reader.error("'uses' is empty; leave it out to select all uses") }
          entry.uses = words.compactMap(Use.init)
          let known = Use.allCases.map(\.rawValue)
          if let word = words.first(where: { Use(rawValue: $0) == nil }) {
            throw reader.error(
              "unknown use \(word.quotedForDisplay()); the uses are \(known.quotedList("and"))\(word.suggestion(in: known))"
            )
          }
        case "reason": entry.reason = try reader.string()
        default:
          let known = ["from", "to", "uses", "reason"]
          throw reader.error("unknown member \(key.string.quotedForDisplay())\(key.string.suggestion(in: known))")
        }
      }
      guard !entry.from.isEmpty, entry.to != nil else {
        throw reader.error("missing member 'from' or 'to', or 'from' is empty")
      }
      if areExceptions, entry.reason?.isEmpty ?? true { throw reader.error("an exception requires a 'reason'") }
      entries.append(entry)
    }
    return entries
  }

  /// Reads one string or an array of strings.
  private static func names(_ reader: inout JSONReader) throws(JSONError) -> [String] {
    if case .string = try reader.kind() { return [try reader.string()] }
    var names: [String] = []
    try reader.array()
    while try reader.element() { names.append(try reader.string()) }
    return names
  }
}

// MARK: - Writing

extension RegistryRules {
  /// Creates rules that permit only the uses in a snapshot, with layers if the uses have no cycle.
  package init(permitting snapshot: RegistrySnapshot) {
    var uses: [String: [String: Set<Use>]] = [:]
    var graph = UseGraph()
    for use in ModuleUse.all(in: snapshot) where use.from != use.to {
      uses[use.from, default: [:]][use.to, default: []].insert(use.kind)
      graph.uses[use.from, default: []].insert(use.to)
    }
    let (levels, inCycles) = graph.levels()
    isAcyclic = inCycles.isEmpty
    if isAcyclic {
      let byLevel = Dictionary(grouping: levels.keys) { levels[$0]! }
      layers = byLevel.sorted { $0.key > $1.key }.map { $0.value.sorted() }
    }
    for (from, targets) in uses.sorted(by: { $0.key < $1.key }) {
      let byUses = Dictionary(grouping: targets.keys) { target in Use.allCases.filter(targets[target]!.contains) }
      let entries = byUses.map { uses, targets in
        Entry(from: [from], to: targets.sorted(), uses: uses == Use.allCases ? nil : uses)
      }
      allow += entries.sorted { ($0.to ?? []).lexicographicallyPrecedes($1.to ?? []) }
    }
    // Every Swift module, including a new one, may use only what an entry permits.
    allow.append(Entry(from: ["*"], to: [], reason: "What no entry permits is forbidden."))
  }

  /// Returns the rules as JSON with a line for each entry.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func text(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
    func list(_ name: String, _ rows: [some Encodable]) throws -> String {
      let lines = try rows.map { "\n    \(try text($0))" }
      return "  \"\(name)\": [\(lines.joined(separator: ","))\(lines.isEmpty ? "" : "\n  ")]"
    }
    let members = [
      "  \"version\": \(Self.formatVersion)", "  \"parts\": \(try text(parts))", try list("layers", layers),
      "  \"acyclic\": \(isAcyclic)", try list("allow", allow), try list("forbid", forbid),
      try list("exceptions", exceptions),
    ]
    return Data("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
  }
}
