import Registry

/// A check for classes that conform to the module protocol but that no record exports.
///
/// The check reports only notes, because code can register the classes.
enum UnexportedModules {
  static func check(
    _ images: [InspectedImage], _ known: ClassInventory.Known, _ names: ServiceNames, registered: [String],
    _ list: ProblemList
  ) {
    if known.modules.isEmpty { return }
    let types = ModuleTypes(images, names)
    let exported = Set(
      types.modules.values.joined().flatMap { [$0.contents.type, $0.typeName(names), $0.runtimeName(names)] })
    let registered = registered.map(\.recordForm)
    for (type, file) in known.modules.sorted(by: { $0.key < $1.key })
    where !exported.contains(type) && !types.unclear.contains(type.lastName)
      && !["Lifecycle.", "AppHost."].contains(where: type.hasPrefix)
    {
      if registered.contains(where: { NeedIndex.canBeSame($0, type) }) { continue }
      list.add(
        .unexportedModule, .note, file: file, subject: type,
        "the class conforms to 'Module', but no file exports it, so no manager starts it unless code registers it; add"
          + " '@ExportModule', or, if code registers it, pass '--registered \(type.escapedForDisplay())'")
    }
  }
}
