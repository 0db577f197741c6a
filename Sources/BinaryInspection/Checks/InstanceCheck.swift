import Registry

/// A check for types that have several instances because their services have different scopes, or
/// because the types are also modules.
///
/// Services of one type and scope share an instance. Transient services are compared only with
/// modules.
enum InstanceCheck {
  static func check(_ images: [InspectedImage], _ list: ProblemList) {
    checkModules(images, list)
    let groups = ImageRecord.all(in: images).grouped { placed in
      placed.contents.service.flatMap { $0.scope == .transient || $0.separateInstance ? nil : type(of: placed) }
    }
    for group in groups {
      let first = group[0].contents
      for placed in group.dropFirst() {
        let contents = placed.contents
        guard let scope = contents.service?.scope, let other = first.service?.scope, scope != other else { continue }
        list.add(
          .splitInstance, of: placed,
          "the type is exported as \(name(contents)) with scope \("\(scope)".quotedForDisplay()), and as \(name(first))"
            + " with scope \("\(other)".quotedForDisplay()), so it has two instances; use one scope, or pass"
            + " 'separateInstance: true' if this is intended")
      }
    }
  }

  /// Reports classes that are exported as a module and as a service.
  private static func checkModules(_ images: [InspectedImage], _ list: ProblemList) {
    let modules = Set(ImageRecord.all(in: images).filter { $0.record.kind == .module }.map(type))
    if modules.isEmpty { return }
    for placed in ImageRecord.all(in: images) where placed.contents.service?.separateInstance == false {
      guard modules.contains(type(of: placed)) else { continue }
      list.add(
        .splitInstance, placed.contents.service?.scope == .transient ? .note : .problem, of: placed,
        "the class is exported as a module and as \(name(placed.contents)), so the manager of modules and lookups create"
          + " different instances; register the module itself in 'setUp', as in 'context.services.register(P.self) { self"
          + " }', move the service to another type, or pass 'separateInstance: true' if this is intended")
    }
  }

  private static func name(_ contents: RecordContents) -> String { (contents.target ?? "").quotedForDisplay() }

  /// Returns the identity of the exported type. It includes the source file, because private types
  /// in different files can share a name. All attributes of a type are in the same file.
  private static func type(of placed: ImageRecord) -> [String?] {
    [
      placed.image.name, "\(placed.image.start)", placed.contents.type, placed.file.map(String.init),
      placed.record.group,
    ]
  }
}
