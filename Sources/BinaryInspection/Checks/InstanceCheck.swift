package import Registry

/// A check for types whose services have different instances because their scopes differ.
///
/// The services of one type share an instance for each scope. Transient services are not compared.
enum InstanceCheck {
  static func check(_ images: [InspectedImage], _ list: ProblemList) {
    for group in ImageRecord.all(in: images).grouped(by: key) {
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

  private static func name(_ contents: RecordContents) -> String { (contents.target ?? "").quotedForDisplay() }

  /// Returns the identity of the exported type; nil for a record that is not compared. It includes
  /// the file, because private types in different files can have one name, while all attributes of
  /// one type are in one file.
  private static func key(of placed: ImageRecord) -> [String?]? {
    let contents = placed.contents
    guard let service = contents.service, service.scope != .transient, !service.separateInstance else { return nil }
    return [
      placed.image.name, "\(placed.image.start)", contents.type, placed.file.map(String.init), placed.record.group,
    ]
  }
}

extension Diagnostic.Code {
  package static let splitInstance: Self = "split-instance"
}
