import Foundation
import Registry

extension RegistryRules {
  /// Returns errors for forbidden uses and cycles, and for malformed rules.
  ///
  /// It's also an error if nothing is registered. Rules without effect, and uses that the rules
  /// can't check, are notes.
  package func problems(in snapshot: RegistrySnapshot) -> [RegistrySnapshot.Problem] {
    var check = RuleCheck(self, snapshot)
    check.run()
    return check.problems
  }
}

private struct RuleCheck {
  private enum Severity: String {
    case error, note
  }

  /// An element of `allow`, `forbid`, or `exceptions`, with the Swift modules that it selects.
  private struct Entry {
    let rule: RegistryRules.Entry
    let place: String
    let from: Set<String>
    let to: Set<String>

    func matches(_ use: ModuleUse) -> Bool {
      (rule.uses?.contains(use.kind) ?? true) && from.contains(use.from) && to.contains(use.to)
    }
  }

  private static let verbs: [RegistryRules.Use: String] = [
    .need: "needs", .replace: "replaces", .contribute: "contributes to", .handle: "handles", .follow: "follows",
  ]

  private let rules: RegistryRules
  private let uses: [ModuleUse]
  private let usesWithoutTarget: [RegistrySnapshot.Entry]
  /// The names of all Swift modules, sorted.
  private let names: [String]
  private(set) var problems: [RegistrySnapshot.Problem] = []
  /// The parts and layers by Swift module. Swift modules outside all of them have no entry.
  private var parts: [String: String] = [:]
  private var layers: [String: Int] = [:]
  private var selections: [String: Set<String>] = [:]
  private var grants: [String: [Entry]] = [:]

  init(_ rules: RegistryRules, _ snapshot: RegistrySnapshot) {
    self.rules = rules
    uses = ModuleUse.all(in: snapshot)
    usesWithoutTarget = ModuleUse.withoutTarget(in: snapshot)
    names = snapshot.features.union(uses.map(\.from)).union(uses.map(\.to)).sorted()
  }

  private mutating func add(
    _ severity: Severity, _ code: Diagnostic.Code, _ message: String, of use: ModuleUse? = nil, subject: String? = nil
  ) {
    problems.append(
      RegistrySnapshot.Problem(
        severity: severity.rawValue, code: "\(code)", subject: subject ?? use?.dependent, image: use?.image,
        location: use?.location, message: message))
  }

  mutating func run() {
    if names.isEmpty {
      return add(
        .error, .unusedRule,
        "nothing is registered, so no rule was checked; create the manager with 'records: .loadedImages', or pass files"
          + " with records")
    }
    let empty =
      rules.parts.filter(\.value.isEmpty).keys.sorted().map { ("part \($0.quotedForDisplay())", "it") }
      + rules.layers.indices.filter { rules.layers[$0].isEmpty }.map { ("layers[\($0)]", "it") }
      + rules.forbid.indices.filter { rules.forbid[$0].to == [] }.map { ("'to' of forbid[\($0)]", "the entry") }
    for (place, rule) in empty { add(.note, .unusedRule, "\(place) names no Swift module; remove \(rule)") }
    for (part, patterns) in rules.parts.sorted(by: { $0.key < $1.key }) {
      for name in patterns.flatMap({ select($0, "part \(part.quotedForDisplay())", isPattern: true) }).sorted() {
        if let other = parts.updateValue(part, forKey: name), other != part {
          conflict(name, "the parts \([other, part].quotedList("and"))")
        }
      }
    }
    for part in rules.parts.keys.sorted() where names.contains(part) && parts[part] != part {
      add(
        .error, .malformedRules,
        "this Swift module has the name of a part that does not contain it, so no rule can select it; rename the part",
        subject: part)
    }
    for (level, selectors) in rules.layers.enumerated() {
      for name in selectors.flatMap({ select($0, "layers[\(level)]") }).sorted() {
        if let other = layers.updateValue(level, forKey: name), other != level {
          conflict(name, "layers[\(other)] and layers[\(level)]")
        }
      }
    }
    let (allow, forbid) = (entries(rules.allow, "allow"), entries(rules.forbid, "forbid"))
    let exceptions = entries(rules.exceptions, "exceptions")
    noteFreeUses(forbid)
    for entry in allow { for name in entry.from { grants[name, default: []].append(entry) } }

    var graph = UseGraph()
    var examples: [[String]: ModuleUse] = [:]
    var isUsed = exceptions.map { _ in false }
    var exceptionsByName: [String: [Int]] = [:]
    for (index, entry) in exceptions.enumerated() {
      for name in entry.from { exceptionsByName[name, default: []].append(index) }
    }
    for use in uses {
      let (from, to) = (part(of: use.from), part(of: use.to))
      guard from != to else { continue }
      let verdict = violation(of: use, forbid)
      let permission = exceptionsByName[use.from]?.first { exceptions[$0].matches(use) }
      if let index = permission {
        // An exception can permit a use that no rule forbids but that is part of a cycle.
        isUsed[index] = isUsed[index] || verdict != nil || rules.isAcyclic
      } else if let verdict {
        add(.error, .forbiddenUse, "\(describe(use)), but \(verdict)", of: use)
      }
      if permission == nil {
        graph.uses[from, default: []].insert(to)
        if examples[[from, to]] == nil { examples[[from, to]] = use }
      }
    }
    for (entry, isUsed) in zip(exceptions, isUsed) where !isUsed {
      add(.note, .unusedRule, "\(entry.place) permits nothing that the rules forbid; remove it")
    }
    if rules.isAcyclic { checkCycles(graph, examples) }
    noteUnchecked(forbid)
  }

  /// Adds notes about contributions and handlers that the rules can't check because no record
  /// states which Swift module declares the target.
  private mutating func noteUnchecked(_ forbid: [Entry]) {
    let kinds: [(RegistrySnapshot.Kind, RegistryRules.Use, String, String)] = [
      (.point, .contribute, "contributions of", "points"), (.event, .handle, "handlers in", "events"),
    ]
    for (kind, use, noun, targets) in kinds {
      let unchecked = usesWithoutTarget.filter { entry in
        let name = entry.feature
        return entry.kind == kind
          && (rules.isAcyclic || layers[name] != nil || grants[name] != nil
            || forbid.contains { ($0.rule.uses?.contains(use) ?? true) && $0.from.contains(name) })
      }
      guard !unchecked.isEmpty else { continue }
      func list(_ names: [String]) -> String { Set(names).sorted().quotedList("and", limit: 8) }
      add(
        .note, .uncheckedUse,
        "the rules skip the \(noun) \(list(unchecked.map(\.feature))) for \(list(unchecked.map(\.key))), because no record"
          + " states which Swift module declares these \(targets); rules check a name that begins with the Swift module,"
          + " such as 'Cart.rows'")
    }
  }

  /// Adds a note about each rule that has no effect because it forbids only uses within a part.
  private mutating func noteFreeUses(_ forbid: [Entry]) {
    func noteIfFree(_ place: String, _ names: Set<String>) {
      let parts = Set(names.map { part(of: $0) })
      guard names.count > 1, parts.count == 1, let part = parts.first else { return }
      add(
        .note, .unusedRule,
        "\(place) forbids only uses within the part \(part.quotedForDisplay()), which are free; take one of the Swift"
          + " modules out of the part")
    }
    for entry in forbid where !entry.from.isEmpty && !entry.to.isEmpty {
      noteIfFree(entry.place, entry.from.union(entry.to))
    }
    // If a layer is empty here, another product can have modules in it, so the rule can be useful.
    if Set(layers.values).count == rules.layers.count { noteIfFree("'layers'", Set(layers.keys)) }
  }

  private mutating func conflict(_ name: String, _ places: String) {
    add(.error, .malformedRules, "this Swift module is in \(places); remove it from one of them", subject: name)
  }

  private func part(of name: String) -> String { parts[name] ?? name }

  /// Returns the Swift modules that a part contains, or that match a name or a pattern.
  private mutating func select(_ selector: String, _ place: String, isPattern: Bool = false) -> Set<String> {
    let key = isPattern ? selector : "part:\(selector)"
    if let known = selections[key] { return known }
    var found: Set<String> = []
    if !isPattern, let patterns = rules.parts[selector] {
      for pattern in patterns { found.formUnion(select(pattern, place, isPattern: true)) }
    } else {
      found = Set(selector.contains("*") ? names.filter(selector.matchesAsPattern) : names.filter { $0 == selector })
      if found.isEmpty, selector != "*" {
        add(
          .note, .unusedRule,
          "\(place) names \(selector.quotedForDisplay()), but no Swift module has the name"
            + selector.suggestion(in: isPattern ? names : names + rules.parts.keys.sorted()))
      }
    }
    selections[key] = found
    return found
  }

  private mutating func entries(_ rules: [RegistryRules.Entry], _ list: String) -> [Entry] {
    rules.enumerated().map { index, rule in
      let place = "\(list)[\(index)]"
      let from = rule.from.reduce(into: Set<String>()) { $0.formUnion(select($1, place)) }
      let to = (rule.to ?? []).reduce(into: Set<String>()) { $0.formUnion(select($1, place)) }
      return Entry(rule: rule, place: place, from: from, to: to)
    }
  }

  /// Returns the rule that forbids a use, with the fix, or nil if no rule forbids it.
  private func violation(of use: ModuleUse, _ forbid: [Entry]) -> String? {
    let (from, to) = (use.from.quotedForDisplay(), use.to.quotedForDisplay())
    let fix = "; remove the use, or add an exception with its reason"
    if let entry = forbid.first(where: { $0.matches(use) }) {
      return "\(entry.place) forbids it\(entry.rule.reason.map { " (\($0.escapedForDisplay()))" } ?? "")\(fix)"
    }
    if let high = layers[use.from], let low = layers[use.to], high >= low {
      return "the layer of \(to), layers[\(low)], is not below that of \(from), layers[\(high)]\(fix)"
    }
    guard let grants = grants[use.from], !grants.contains(where: { $0.matches(use) }) else { return nil }
    return "no entry of 'allow' permits it; remove the use, or add {\"from\": \(JSONLine.text(use.from)),"
      + " \"to\": \(JSONLine.text(use.to)), \"uses\": \"\(use.kind.rawValue)\"} to 'allow'"
  }

  private func describe(_ use: ModuleUse) -> String {
    let target = use.target.map { " (\($0.escapedForDisplay()))" } ?? ""
    return "\(use.from.quotedForDisplay()) \(Self.verbs[use.kind]!) \(use.subject.quotedForDisplay()) of"
      + " \(use.to.quotedForDisplay())\(target)"
  }

  private mutating func checkCycles(_ graph: UseGraph, _ examples: [[String]: ModuleUse]) {
    for cycle in graph.cycles(limit: 20) {
      let steps = zip(cycle, cycle.dropFirst() + cycle.prefix(1)).map { examples[[$0, $1]]! }
      let uses = steps.prefix(8).map { use in
        "\(describe(use)) at \((use.location ?? use.dependent).quotedForDisplay())"
      }
      add(
        .error, .forbiddenCycle,
        "\(cycle.quotedList("and", limit: 8)) use each other, but 'acyclic' forbids cycles: \(uses.joined(separator: ", "))"
          + "\(steps.count > 8 ? ", …" : ""); remove one of the uses, or add an exception with its reason",
        of: steps[0], subject: cycle[0])
    }
  }
}

extension String {
  /// Returns whether a name matches this pattern, which contains `*` for any characters.
  fileprivate func matchesAsPattern(_ name: String) -> Bool {
    var pieces = split(separator: "*", omittingEmptySubsequences: false)
    let (first, last) = (pieces.removeFirst(), pieces.removeLast())
    guard name.count >= first.count + last.count, name.hasPrefix(first), name.hasSuffix(last) else { return false }
    // The first place of each piece leaves the most text for the others.
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for piece in pieces where !piece.isEmpty {
      guard let place = rest.range(of: piece) else { return false }
      rest = rest[place.upperBound...]
    }
    return true
  }
}
