import Registry

/// A check for recorded class and protocol names that no file declares, and for modules that no
/// record exports.
final class TypeCheck {
  private let images: [InspectedImage]
  private let names: ServiceNames
  private var known: DeclaredTypes { names.known }
  private var hasObjectiveC: Bool { images.first?.header.format == .machO }

  // These are lazy, because they are needed only if a name is unknown.
  private lazy var swiftNames = known.swift.sorted()
  private lazy var objectiveCNames = known.objectiveC.sorted()
  private lazy var protocolNames = known.protocols.sorted()
  /// The modules of top-level types. A nested type can be in an extension of another module's type.
  private lazy var modules = Set(
    (swiftNames + protocolNames).lazy.map { $0.split(separator: ".", maxSplits: 2) }.filter { $0.count == 2 }.map(\.[0])
  )

  init(_ images: [InspectedImage], _ names: ServiceNames) {
    (self.images, self.names) = (images, names)
  }

  func report(registered: [String] = [], to list: ProblemList) {
    for placed in ImageRecord.all(in: images) {
      checkClass(of: placed, list)
      checkProtocol(of: placed, list)
    }
    let canExport = !images.contains { $0.header.lacksNotes && $0.records.isEmpty }
    if canExport, !known.modules.isEmpty { checkModules(registered.map(\.recordForm), list) }
  }

  private func checkClass(of placed: ImageRecord, _ list: ProblemList) {
    guard let name = placed.contents.type else { return }
    let hasModule = Self.hasModule(name)
    // If there's an accessor, the accessor returns the type, and the name is only informative.
    if hasModule, !placed.record.hasAccessor, known.values.contains(name) {
      return list.add(
        .unknownClass, of: placed,
        "\(name.quotedForDisplay()) is a structure or an enumeration and not a class; make it a class, or export it with"
          + " the Swift attribute")
    }
    let isKnown =
      hasModule
      ? placed.record.hasAccessor || known.swift.contains(name) || known.unread.contains(.type)
      : known.objectiveC.contains(name) || known.unread.contains(.objectiveCClass)
    if isKnown { return }
    if placed.record.kind == .service, known.protocols.contains(name) {
      return list.add(
        .unknownClass, of: placed,
        "the record names a protocol as its class; write the protocol first, and then the class")
    }
    let text =
      hasModule
      ? "no file contains a class with this name; write the name as 'Module.Class', and pass the file that contains the"
        + " class"
      : hasObjectiveC
        ? "no file contains an Objective-C class with this name; write the name of a Swift class as 'Module.Class', and"
          + " pass the file that contains the class"
        : "a name without a module is the name of an Objective-C class, which this system does not support; write the"
          + " name of a Swift class as 'Module.Class'"
    list.add(.unknownClass, of: placed, text, hint: name.suggestion(in: hasModule ? swiftNames : objectiveCNames))
  }

  /// Reports a C record if no file declares its protocol, because lookups can't find the service.
  /// The compiler has checked the protocols of Swift records. A protocol that may be in a system
  /// library isn't reported: an Objective-C protocol on Apple systems, or a protocol whose module
  /// no file contains.
  private func checkProtocol(of placed: ImageRecord, _ list: ProblemList) {
    guard known.isComplete, !placed.record.hasAccessor,
      let name = placed.contents.service?.service.string, !known.contains(name),
      // Compositions, such as `Shop.Cart & Shop.Gift`, and specializations have no declaration.
      !name.contains(where: { $0 == "&" || $0 == "<" || $0 == " " })
    else { return }
    let hasModule = Self.hasModule(name)
    guard hasModule ? modules.contains(name.prefix { $0 != "." }) : !hasObjectiveC else { return }
    let reason =
      hasModule
      ? "no file declares a protocol or a class with this name, so no lookup finds the implementation; write the name as"
        + " 'Module.Protocol'"
      : "a name without a module is the name of an Objective-C protocol, which this system does not support; write the"
        + " name of a Swift protocol as 'Module.Protocol'"
    list.add(
      .unknownProtocol, of: placed, subject: name, "\(placed.label) is exported as its implementation, but \(reason)",
      hint: hasModule ? name.suggestion(in: protocolNames) : "")
  }

  /// Adds notes about classes that conform to the module protocol but that no record exports. They
  /// aren't problems, because code can register the classes.
  private func checkModules(_ registered: [String], _ list: ProblemList) {
    let types = ModuleTypes(images, names)
    let exported = Set(
      types.modules.values.joined().flatMap { [$0.contents.type, $0.typeName(names), $0.runtimeName(names)] })
    for (type, file) in known.modules.sorted(by: { $0.key < $1.key })
    where !exported.contains(type) && !types.unclear.contains(type.lastName)
      && !["Lifecycle.", "AppHost."].contains(where: type.hasPrefix)
      && !registered.contains(where: { NeedIndex.canBeSame($0, type) })
    {
      list.add(
        .unexportedModule, .note, file: file, subject: type,
        "the class conforms to 'Module', but no file exports it, so no manager starts it unless code registers it; add"
          + " '@ExportModule', or, if code registers it, pass '--registered \(type.escapedForDisplay())'")
    }
  }

  private static func hasModule(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: ".")) }
}
