import Registry

/// The services, modules, and routes that images export, by the names with which code can need
/// them.
struct NeedIndex {
  /// The identity of an export, which several records can share.
  struct Export: Hashable {
    let subject: NeedAttributes.Subject
    let target: String
    let name: String?
    /// True for a full name, and false for a name as the source spells it, which no file declares.
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
  }

  private let names: ServiceNames
  private let types: ModuleTypes
  private(set) var providers: [Export: [Provider]] = [:]
  /// The exports by the ends of their targets, after a dot.
  private var ends: [Export: [Export]] = [:]

  init(_ images: [InspectedImage], _ names: ServiceNames) {
    self.names = names
    types = ModuleTypes(images, names)
    for (index, image) in images.enumerated() {
      for placed in ImageRecord.all(in: [image]) {
        for export in exports(of: placed) {
          add(export, Provider(image: index, feature: placed.feature, group: placed.record.group))
        }
      }
    }
  }

  private mutating func add(_ export: Export, _ provider: Provider) {
    if providers[export] == nil {
      for text in export.target.ends {
        ends[Export(export.subject, String(text), name: export.name, isFull: false), default: []].append(export)
      }
    }
    if providers[export]?.last != provider { providers[export, default: []].append(provider) }
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

  /// Returns a need as the export that satisfies it exactly, or nil for a module's type that the
  /// files do not identify.
  func export(satisfying need: NeedAttributes, of placed: ImageRecord) -> Export? {
    let scope = need.dependent ?? need.location.map { String($0.prefix { $0 != "/" }) }
    switch need.subject {
    case .service:
      let (target, isFull) = resolve(need.target, of: placed, in: scope)
      return Export(.service, target, name: need.name, isFull: isFull)
    case .route, .point: return Export(need.subject, Self.withoutDot(need.target), isFull: false)
    case .module:
      guard placed.record.hasAccessor else { return Export(.module, need.target, isFull: true) }
      let name = Self.canonical(need.target)
      let target = types.target(of: name, in: placed, around: scope)
      if case .module(let module) = target { return Export(.module, module.contents.type ?? name, isFull: true) }
      if case .notExported = target, !types.canContain(name) { return Export(.module, name, isFull: true) }
      if case .unknown = target, need.isType { return nil }
      // Like the compiler, first search the types and the module around the name.
      func isRecorded(_ name: String) -> Bool { providers[Export(.module, name, isFull: true)] != nil }
      let recorded = scope.flatMap { name.candidates(in: $0).first(where: isRecorded) } ?? name
      let wanted = Export(.module, recorded, isFull: isRecorded(recorded))
      return matches(wanted).isEmpty && (need.isType && names.hasTypes || types.canContain(name)) ? nil : wanted
    }
  }

  /// Returns the exports that satisfy a need. If a file declares only one of two names, one can be
  /// the end of the other.
  func matches(_ wanted: Export) -> [Export] {
    let same = [true, false].map { (wanted.target[...], $0) } + wanted.target.ends.map { ($0, false) }
    let found = same.map { Export(wanted.subject, String($0), name: wanted.name, isFull: $1) }
      .filter { providers[$0] != nil }
    if wanted.isFull { return found }
    return found + ends[wanted, default: []]
  }

  /// Returns the providers of exports that a record's managers can read. A manager of a group
  /// usually has a parent that reads the records without a group.
  func providers(of exports: [Export], for placed: ImageRecord) -> [Provider] {
    let group = placed.record.group
    return exports.flatMap { providers[$0] ?? [] }.filter { $0.group == nil || $0.group == group }
  }

  private func resolve(_ written: String, of placed: ImageRecord, in scope: String?) -> (String, Bool) {
    // Records without an accessor contain the full name.
    guard placed.record.hasAccessor else { return (written, true) }
    let written = Self.canonical(written)
    return if case .declared(let full) = names.resolve(written, in: [scope]) { (full, true) } else { (written, false) }
  }

  /// Returns a name with periods after modules, and with a composition's protocols in order.
  private static func canonical(_ written: String) -> String {
    let name = written.split(separator: "::").joined(separator: ".")
    return name.utf8.contains(UInt8(ascii: "&")) ? name.split(separator: " & ").sorted().joined(separator: " & ") : name
  }

  private static func withoutDot(_ route: String) -> String { String(route.drop { $0 == "." }) }

  /// Returns true if two names can mean the same thing, because one is the other or its end.
  static func canBeSame(_ name: String, _ other: String) -> Bool {
    let (name, other) = (withoutDot(name), withoutDot(other))
    return name == other || name.hasSuffix(".\(other)") || other.hasSuffix(".\(name)")
  }
}
