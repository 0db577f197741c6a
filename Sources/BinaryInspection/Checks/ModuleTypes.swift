import Registry

/// A mapping from types to exported modules. Records name types as spelled in the source.
struct ModuleTypes {
  enum Target {
    case module(ImageRecord)
    /// The files declare the type but don't export it.
    case notExported
    /// The name can refer to several types, or a record may name the type differently.
    case unknown
    /// No file declares a type with this name, for example because the name is a type alias.
    case undeclared
  }

  private let names: ServiceNames
  private(set) var modules: [String: [ImageRecord]] = [:]
  /// The last components of the names of modules whose full names are unknown.
  private(set) var unclear: Set<String> = []

  init(_ images: [InspectedImage], _ names: ServiceNames) {
    self.names = names
    for placed in ImageRecord.all(in: images) {
      guard placed.record.kind == .module, let name = placed.contents.type else { continue }
      if let type = placed.typeName(names) {
        modules[type, default: []].append(placed)
      } else {
        unclear.insert(name.lastName)
      }
    }
  }

  /// Returns the module that a type name in a record refers to. Types in the record's Swift module
  /// and file take precedence, because private types and types in extensions can share a name.
  func target(of type: String, in placed: ImageRecord, around scope: String?) -> Target {
    switch names.resolve(type, in: [placed.record.context, scope], isType: true) {
    case .ambiguous: return .unknown
    case .unknown: return .undeclared
    case .declared(let full):
      var found = modules[full] ?? []
      let isNear: [(ImageRecord) -> Bool] = [{ $0.feature == placed.feature }, { $0.file == placed.file }]
      for isNear in isNear where found.contains(where: isNear) { found.removeAll { !isNear($0) } }
      let isUnclear = unclear.contains(full.lastName)
      guard let first = found.first else { return isUnclear ? .unknown : .notExported }
      if isUnclear, first.feature != placed.feature { return .unknown }
      // An object and the image that it's linked into contain the same record.
      return found.allSatisfy { $0.file == first.file && $0.feature == first.feature } ? .module(first) : .unknown
    }
  }

  /// Returns true if a name can be the runtime's name for a module whose full name is unknown.
  func canContain(_ name: String) -> Bool { name.count { $0 == "." } > 1 && unclear.contains(name.lastName) }
}

extension ImageRecord {
  /// The source file of the record, such as `Shop/Cart.swift`.
  var file: Substring? { record.location?.prefix { $0 != ":" } }

  /// Returns the exported type's full name, as in Swift's metadata, or a C class's recorded name;
  /// nil if unknown. In an extension, only the record's symbol contains the extended type's name.
  func typeName(_ names: ServiceNames) -> String? {
    guard let name = contents.type, record.hasAccessor else { return contents.type }
    guard let context = record.context else {
      return [name, name.withoutModule].first(where: names.known.contains)
    }
    return name.hasPrefix("\(context).") ? name : "\(context).\(name.lastName)"
  }

  /// Returns the runtime's name for a module if it differs from the name in the record, or a guess
  /// if the type is unknown. If the module is declared in an extension of a type from another Swift
  /// module, the runtime's name starts with the extension's Swift module.
  func runtimeName(_ names: ServiceNames) -> String? {
    // A C record contains the runtime's name.
    guard record.hasAccessor, let name = contents.type else { return nil }
    guard let type = typeName(names) else {
      // The macro can't tell whether `Swift` in `extension Swift.String` is a module or a type. The
      // runtime's name for `App.Swift.String.Inner` is `App.String.Inner`.
      let parts = name.split(separator: ".")
      return parts.count > 3 ? (parts.prefix(1) + parts.dropFirst(2)).joined(separator: ".") : nil
    }
    let runtimeName = type.hasPrefix("\(feature).") ? type : "\(feature).\(type.withoutModule)"
    return runtimeName == name ? nil : runtimeName
  }
}
