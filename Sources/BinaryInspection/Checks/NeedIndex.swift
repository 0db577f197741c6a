import Registry

/// The services, modules, and routes that images export, by the names with which code can need
/// them.
struct NeedIndex {
  /// The identity of an export, which several records can share.
  struct Export: Hashable {
    let subject: NeedAttributes.Subject
    let target: String
    /// The name of a service's implementation.
    let name: String?
    /// A Boolean value that indicates whether the target is a full name.
    ///
    /// If not, it is a name as the source spells it, which no file declares.
    let isFull: Bool
  }

  struct Provider: Hashable {
    /// The index of the image.
    let image: Int
    /// The Swift module that contains the implementation.
    let feature: String
  }

  /// The end of an export's target, after a dot.
  private struct End: Hashable {
    let subject: NeedAttributes.Subject
    let text: Substring
    let name: String?
  }

  private let names: ServiceNames
  private let types: ModuleTypes
  /// The providers of each export, in the order of the images.
  private(set) var providers: [Export: [Provider]] = [:]
  private var exports: [End: [Export]] = [:]

  /// The largest number of components at the end of a name that a shorter name can have.
  private static let endLimit = 8

  /// Creates the index of the records of images.
  init(_ images: [InspectedImage], _ names: ServiceNames) {
    self.names = names
    types = ModuleTypes(images, names)
    for (index, image) in images.enumerated() {
      for placed in ImageRecord.all(in: [image]) {
        for export in exports(of: placed) { add(export, Provider(image: index, feature: placed.feature)) }
      }
    }
  }

  private mutating func add(_ export: Export, _ provider: Provider) {
    guard providers[export] != nil else {
      providers[export] = [provider]
      for text in Self.ends(of: export.target) {
        exports[End(subject: export.subject, text: text, name: export.name), default: []].append(export)
      }
      return
    }
    if providers[export]?.last != provider { providers[export]?.append(provider) }
  }

  /// Returns the names with which code can need the export of a record.
  func exports(of placed: ImageRecord) -> [Export] {
    let contents = placed.contents
    switch placed.record.kind {
    case .service:
      guard let service = contents.service else { return [] }
      let (target, isFull) = resolve(service.service.string, of: placed, in: contents.type)
      return [Export(subject: .service, target: target, name: service.name, isFull: isFull)]
    case .module:
      return [contents.type, placed.runtimeName(names)].compactMap(\.self).map {
        Export(subject: .module, target: $0, name: nil, isFull: true)
      }
    case .route, .contribution:
      let subject = placed.record.kind == .route ? NeedAttributes.Subject.route : .point
      return contents.target.map { [Export(subject: subject, target: Self.withoutDot($0), name: nil, isFull: false)] }
        ?? []
    default: return []
    }
  }

  /// Returns a need as the export that satisfies it exactly, or nil if it is the type of a module
  /// that the files do not identify.
  func export(satisfying need: NeedAttributes, of placed: ImageRecord) -> Export? {
    let scope = need.dependent ?? need.location.map { String($0.prefix { $0 != "/" }) }
    func export(_ target: String, _ isFull: Bool) -> Export {
      Export(subject: need.subject, target: target, name: need.name, isFull: isFull)
    }
    switch need.subject {
    case .service:
      let (target, isFull) = resolve(need.target, of: placed, in: scope)
      return export(target, isFull)
    case .route, .point: return export(Self.withoutDot(need.target), false)
    case .module:
      guard placed.record.hasAccessor else { return export(need.target, true) }
      let name = Self.canonical(need.target)
      let target = types.target(of: name, in: placed, around: scope)
      if case .module(let module) = target { return export(module.contents.type ?? name, true) }
      if case .notExported = target, !types.canContain(name) { return export(name, true) }
      if case .unknown = target, need.isType { return nil }
      let (recorded, isFull) = recordedName(name, in: scope)
      let wanted = export(recorded, isFull)
      return matches(wanted).isEmpty && (need.isType && names.hasTypes || types.canContain(name)) ? nil : wanted
    }
  }

  /// Returns the exports that satisfy a need.
  ///
  /// If a file declares only one of the two names, one can be the end of the other.
  func matches(_ wanted: Export) -> [Export] {
    func export(_ target: String, isFull: Bool) -> Export? {
      let export = Export(subject: wanted.subject, target: target, name: wanted.name, isFull: isFull)
      return providers[export] == nil ? nil : export
    }
    let same = [export(wanted.target, isFull: true), export(wanted.target, isFull: false)].compactMap { $0 }
    let shorter = Self.ends(of: wanted.target).compactMap { export(String($0), isFull: false) }
    if wanted.isFull { return same + shorter }
    return same + shorter
      + (exports[End(subject: wanted.subject, text: Substring(wanted.target), name: wanted.name)] ?? [])
  }

  private func resolve(_ written: String, of placed: ImageRecord, in scope: String?) -> (String, Bool) {
    // Records without an accessor contain the full name.
    guard placed.record.hasAccessor else { return (written, true) }
    let written = Self.canonical(written)
    return if case .declared(let full) = names.resolve(written, in: scope) { (full, true) } else { (written, false) }
  }

  /// Returns a name with periods after modules, and with the protocols of a composition in order.
  private static func canonical(_ written: String) -> String {
    let name = written.split(separator: "::").joined(separator: ".")
    return name.utf8.contains(UInt8(ascii: "&")) ? name.split(separator: " & ").sorted().joined(separator: " & ") : name
  }

  /// Returns the recorded name of a module that code refers to.
  ///
  /// Like the compiler, the method first searches the types and the module around the name.
  private func recordedName(_ written: String, in scope: String?) -> (String, Bool) {
    func isRecorded(_ name: String) -> Bool {
      providers[Export(subject: .module, target: name, name: nil, isFull: true)] != nil
    }
    if let name = scope.flatMap({ written.candidates(in: $0).first(where: isRecorded) }) { return (name, true) }
    return (written, isRecorded(written))
  }

  /// Returns the parts of a name after each of its dots, beginning with the shortest.
  private static func ends(of name: String) -> [Substring] {
    var ends: [Substring] = []
    var rest = name[...]
    while ends.count < endLimit, let dot = rest.lastIndex(of: ".") {
      ends.append(name[name.index(after: dot)...])
      rest = rest[..<dot]
    }
    return ends
  }

  /// Returns the name of a route without the dot at its beginning.
  private static func withoutDot(_ route: String) -> String { String(route.drop { $0 == "." }) }

  /// Returns the name of an export as code spells it.
  static func spelling(_ export: Export) -> String {
    export.subject != .service && export.subject != .module && !export.target.utf8.contains(UInt8(ascii: "."))
      ? ".\(export.target)" : export.target
  }

  /// Returns a Boolean value that indicates whether two names can refer to the same thing, because
  /// one is the other or its end.
  static func canBeSame(_ name: String, _ other: String) -> Bool {
    let (name, other) = (withoutDot(name), withoutDot(other))
    return name == other || name.hasSuffix(".\(other)") || other.hasSuffix(".\(name)")
  }
}

extension ImageRecord {
  /// The Swift module that contains the code of the record, or else the name of the file.
  var feature: String {
    if let subject = contents.subject, let end = subject.firstIndex(where: { $0 == "." || $0 == "/" }) {
      return String(subject[..<end])
    }
    if let location = record.location, let end = location.firstIndex(of: "/") { return String(location[..<end]) }
    return image.path.lastPathComponent
  }
}
