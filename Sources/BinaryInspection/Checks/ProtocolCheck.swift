import Registry

/// A check for protocols that C records name but no file declares.
///
/// The compiler has checked the protocols of Swift records.
enum ProtocolCheck {
  /// Returns a problem for each C record of a service that no lookup can find.
  ///
  /// A protocol of a module that is in no file is not reported, because it can be in a library of
  /// the system. For the same reason, no protocol of Objective-C is reported on Apple systems.
  ///
  /// - Parameters:
  ///   - images: The images of one architecture.
  ///   - known: The types that the files of this architecture declare.
  static func problems(in images: [InspectedImage], _ known: ClassInventory.Known) -> [InspectionProblem] {
    guard known.hasAllProtocols, known.withoutSwift.isEmpty else { return [] }
    var problems = ProblemList()
    var hints = 1_000
    // Collect the names only if a C record exports a service, and only once.
    lazy var protocols = known.protocols.values.joined().sorted()
    lazy var modules = Set(known.swift.lazy.compactMap(moduleOfTopLevel) + protocols.lazy.compactMap(moduleOfTopLevel))
    let hasObjectiveC = images.first?.header.format == .machO
    for placed in ImageRecord.all(in: images) {
      let record = placed.record
      guard record.kind == .service, !record.hasAccessor,
        let name = placed.contents.target, !known.swift.contains(name),
        known.protocols[name.lastName]?.contains(name) != true
      else { continue }
      // A composition, such as `Shop.Cart & Shop.Gift`, is declared nowhere.
      if name.contains(where: { $0 == "&" || $0 == "<" || $0 == " " }) { continue }
      guard let dot = name.firstIndex(of: ".") else {
        if !hasObjectiveC {
          problems.add(
            .unknownProtocol, of: placed, subject: name,
            "\(placed.label) is exported as its implementation, but \(withoutModule)")
        }
        continue
      }
      guard modules.contains(String(name[..<dot])) else { continue }
      hints -= 1
      problems.add(
        .unknownProtocol, of: placed, subject: name,
        "\(placed.label) is exported as its implementation, but no file declares a protocol or a class with this name, so no"
          + " lookup finds the implementation; write the name as 'Module.Protocol'",
        hint: hints > 0 ? name.suggestion(in: protocols) : "")
    }
    return problems.all
  }

  private static let withoutModule =
    "a name without a module is the name of an Objective-C protocol, which this system does not support; write the name of"
    + " a Swift protocol as 'Module.Protocol'"

  /// Returns the module in the name of a type at the top level; nil for other names.
  ///
  /// A nested type can be in an extension of another module's type.
  private static func moduleOfTopLevel(_ name: String) -> String? {
    let parts = name.split(separator: ".", maxSplits: 2)
    return parts.count == 2 ? String(parts[0]) : nil
  }
}
