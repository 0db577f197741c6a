import Registry

/// An index for finding the exports that satisfy a need.
struct NeedIndex {
  /// The identity of an export, which several records can share.
  struct Export: Hashable {
    let subject: NeedAttributes.Subject
    let target: String
    let name: String?
    /// True for a full name; false for a route, a point, or a name that no file declares.
    let isFull: Bool

    init(_ subject: NeedAttributes.Subject, _ target: String, name: String? = nil, isFull: Bool) {
      (self.subject, self.target, self.name, self.isFull) = (subject, target, name, isFull)
    }

    var spelling: String {
      let isProperty = subject == .route || subject == .point
      return isProperty && !target.utf8.contains(UInt8(ascii: ".")) ? ".\(target)" : target
    }
  }

  struct Provider: Hashable {
    let image: Int
    let feature: String
    let group: String?
    /// The type that implements a service; nil for other exports.
    let type: String?
    let condition: ServiceCondition?
  }

  private let names: ServiceNames
  private let types: ModuleTypes
  private(set) var providers: [Export: [Provider]] = [:]
  /// The names of service implementations, by the last component of the service's name.
  private var implementationNames: [String: [String?]] = [:]
  /// The exports by each dotted suffix of their targets, such as `Cart` for `Shop.Cart`.
  private var ends: [Export: [Export]] = [:]

  init(_ images: [InspectedImage], _ names: ServiceNames) {
    self.names = names
    types = ModuleTypes(images, names)
    for placed in ImageRecord.all(in: images) {
      let exports = exports(of: placed)
      if exports.isEmpty { continue }
      let service = placed.contents.service
      let provider = Provider(
        image: placed.imageIndex, feature: placed.feature, group: placed.record.group,
        type: service?.implementation.string, condition: service?.condition)
      for export in exports where providers[export]?.last != provider {
        if service != nil, providers[export] == nil {
          implementationNames[export.target.lastName, default: []].append(export.name)
        }
        for text in providers[export] == nil ? export.target.ends : [] {
          ends[Export(export.subject, String(text), name: export.name, isFull: false), default: []].append(export)
        }
        providers[export, default: []].append(provider)
      }
    }
  }

  func exports(of placed: ImageRecord) -> [Export] {
    let contents = placed.contents
    switch placed.record.kind {
    case .service:
      guard let service = contents.service else { return [] }
      let (target, isFull) = resolve(service.service.string, of: placed, in: contents.type)
      return [Export(.service, target, name: service.name, isFull: isFull)]
    case .module:
      return [contents.type, placed.runtimeName(names)].compactMap { $0.map { Export(.module, $0, isFull: true) } }
    case .route: return contents.target.map { [Export(.route, Self.withoutDot($0), isFull: false)] } ?? []
    case .contribution: return contents.target.map { [Export(.point, Self.withoutDot($0), isFull: false)] } ?? []
    default: return []
    }
  }

  /// Returns the export that a need requires, even if no file contains the export, or nil if the
  /// files don't identify the needed module.
  func export(satisfying need: NeedAttributes, of placed: ImageRecord) -> Export? {
    let scope = need.dependent ?? need.location.map { String($0.prefix { $0 != "/" }) }
    switch need.subject {
    case .service:
      let (target, isFull) = resolve(need.target, of: placed, in: scope)
      return Export(.service, target, name: need.name, isFull: isFull)
    case .route, .point: return Export(need.subject, Self.withoutDot(need.target), isFull: false)
    case .module:
      // Like the runtime, treat a string as a complete name, unless it may be the runtime's name
      // for a module that has another name in its record.
      if !need.isType { return types.canContain(need.target) ? nil : Export(.module, need.target, isFull: true) }
      let name = Self.canonical(need.target)
      let target = types.target(of: name, in: placed, around: scope)
      if case .module(let module) = target { return Export(.module, module.contents.type ?? name, isFull: true) }
      if case .notExported = target, !types.canContain(name) { return Export(.module, name, isFull: true) }
      if case .unknown = target { return nil }
      // Like the compiler, first search the types and the Swift module around the need.
      func isRecorded(_ name: String) -> Bool { providers[Export(.module, name, isFull: true)] != nil }
      let recorded = scope.flatMap { name.candidates(in: $0).first(where: isRecorded) } ?? name
      let wanted = Export(.module, recorded, isFull: isRecorded(recorded))
      return matches(wanted).isEmpty && (!names.known.swift.isEmpty || types.canContain(name)) ? nil : wanted
    }
  }

  /// Returns the exports that satisfy a need. A need for all implementations accepts every name.
  func matches(_ wanted: Export, of need: NeedAttributes) -> [Export] {
    need.isAll ? matchesWithAnyName(wanted) : matches(wanted)
  }

  /// Returns the implementations of a service, with and without a name.
  func matchesWithAnyName(_ wanted: Export) -> [Export] {
    implementationNames[wanted.target.lastName, default: []].unique().flatMap {
      matches(Export(.service, wanted.target, name: $0, isFull: wanted.isFull))
    }
  }

  /// Returns the exports with a name, an implementation's name, and a subject. Unless files declare
  /// both names, it's enough that one name ends with the other.
  func matches(_ wanted: Export) -> [Export] {
    let same = [true, false].map { (wanted.target[...], $0) } + wanted.target.ends.map { ($0, false) }
    let found = same.map { Export(wanted.subject, String($0), name: wanted.name, isFull: $1) }
      .filter { providers[$0] != nil }
    if wanted.isFull { return found }
    return found + ends[wanted, default: []]
  }

  /// Returns an export that may be the needed service under a different name: no file declares the
  /// export's name, but its implementation conforms to the needed protocol; one name is a
  /// composition, and the names share a protocol; or the names differ only in generic arguments,
  /// which may be aliases.
  func possibleAlias(of wanted: Export, for placed: ImageRecord) -> Export? {
    let candidates = providers.keys.filter { export in
      guard export.subject == .service, export.name == wanted.name, export.target != wanted.target else { return false }
      if export.target.isPlainName, wanted.target.isPlainName {
        return wanted.isFull && !export.isFull
          && providers[export, default: []].contains {
            names.known.conformances[$0.type ?? ""]?.contains(wanted.target) == true
          }
      }
      guard (export.target + wanted.target).contains("<") else {
        return !export.target.parts.isDisjoint(with: wanted.target.parts)
      }
      return export.target.parts == wanted.target.parts && [export.target, wanted.target].contains(where: isUnclear)
    }
    return candidates.filter { !providers(of: [$0], for: placed).isEmpty }.min { $0.target < $1.target }
  }

  /// Returns true if a generic type has arguments that may be aliases or be spelled differently.
  private func isUnclear(_ type: String) -> Bool {
    guard let arguments = type.firstIndex(of: "<").map({ type[$0...] }) else { return false }
    if arguments.contains(where: { "[?&(".contains($0) }) { return true }
    return !arguments.split { "<>, ".contains($0) }.allSatisfy { name in
      names.known.contains(String(name)) || MangledTypeName.standardNames.contains(String(name))
    }
  }

  /// Returns the exports' providers that are in a record's group or have no group. A manager of a
  /// group usually has a parent that reads the records without a group.
  func providers(of exports: [Export], for placed: ImageRecord) -> [Provider] {
    let group = placed.record.group
    return exports.flatMap { providers[$0] ?? [] }.filter { $0.group == nil || $0.group == group }
  }

  private func resolve(_ written: String, of placed: ImageRecord, in scope: String?) -> (String, Bool) {
    // Records without an accessor contain the full name.
    guard placed.record.hasAccessor else { return (written, true) }
    let protocols = Self.canonical(written).split(separator: " & ")
      .filter { protocols in !Self.markers.contains(protocols.withoutStandardModule) }
      .map { resolveNames(in: String($0), scope) }
    return (protocols.map(\.0).sorted().joined(separator: " & "), protocols.allSatisfy(\.1))
  }

  /// The marker protocols. They exist only at compile time, so they don't affect a type's identity.
  private static let markers: Set<Substring> = ["BitwiseCopyable", "Copyable", "Escapable", "Sendable"]

  /// Returns a protocol's name, with the names in it resolved, and whether a file declares the
  /// protocol.
  private func resolveNames(in written: String, _ scope: String?) -> (String, Bool) {
    var isFull: Bool?
    var resolved = ""
    var rest = written[...]
    while !rest.isEmpty {
      let name = rest.prefix { !"<>,[]?:() ".contains($0) }
      rest = rest.dropFirst(name.count)
      if !name.isEmpty {
        let declared: String? =
          if case .declared(let full) = names.resolve(String(name), in: [scope]) { full } else { nil }
        isFull = isFull ?? (declared != nil)
        resolved += declared ?? String(resolved.isEmpty ? name : name.withoutStandardModule)
      }
      if let separator = rest.popFirst() { resolved.append(separator) }
    }
    return (resolved, isFull ?? false)
  }

  /// Returns a name with periods instead of `::`.
  private static func canonical(_ written: String) -> String {
    written.split(separator: "::").joined(separator: ".")
  }

  private static func withoutDot(_ route: String) -> String { String(route.drop { $0 == "." }) }

  /// Returns true if, without leading dots, the names are equal or one is a dotted suffix of the
  /// other.
  static func canBeSame(_ name: String, _ other: String) -> Bool {
    let (name, other) = (withoutDot(name), withoutDot(other))
    return name == other || name.hasSuffix(".\(other)") || other.hasSuffix(".\(name)")
  }
}

extension String {
  /// True for a name alone; false for a composition, a generic type, a function, or an optional.
  var isPlainName: Bool { !utf8.contains { "&<([?".utf8.contains($0) } }

  /// The types in a composition. A generic type's name ends with `<`, without the arguments.
  fileprivate var parts: Set<Substring> {
    Set(split(separator: " & ").map { name in name.firstIndex(of: "<").map { name[...$0] } ?? name })
  }
}

extension Substring {
  fileprivate var withoutStandardModule: Substring { hasPrefix("Swift.") ? dropFirst(6) : self }
}
