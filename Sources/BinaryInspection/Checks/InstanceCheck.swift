package import Registry

/// A check for types whose services have different instances because their scopes differ.
///
/// The services of one type have one instance for each scope. A transient service has a new
/// instance for each lookup, so it is not compared.
enum InstanceCheck {
  static func problems(in images: [InspectedImage]) -> [InspectionProblem] {
    var first: [Key: ImageRecord] = [:]
    var problems = ProblemList()
    for placed in ImageRecord.all(in: images) where placed.record.kind == .service {
      let contents = placed.contents
      guard let scope = contents.service?.scope, scope != .transient, contents.service?.separateInstance == false,
        let key = Key(placed, contents)
      else { continue }
      guard let other = first[key] else {
        first[key] = placed
        continue
      }
      let known = other.contents
      guard let knownScope = known.service?.scope, knownScope != scope else { continue }
      problems.add(
        .splitInstance, of: placed,
        "the type is exported as \(name(contents)) with scope '\("\(scope)".escapedForDisplay())', and as \(name(known))"
          + " with scope '\("\(knownScope)".escapedForDisplay())', so it has two instances; use one scope, or pass"
          + " 'separateInstance: true' if this is intended")
    }
    return problems.all
  }

  private static func name(_ contents: RecordContents) -> String { (contents.target ?? "").quotedForDisplay() }

  /// The identity of an exported type.
  ///
  /// Two private types in different files can have one name, so the file is a part of it. The
  /// attributes of one type are in one file.
  private struct Key: Hashable {
    let path: String
    let member: String?
    let start: UInt64
    let type: String
    let file: String?

    init?(_ placed: ImageRecord, _ contents: RecordContents) {
      guard let type = contents.type else { return nil }
      path = placed.image.path
      member = placed.image.member
      start = placed.image.start
      self.type = type
      // A location is a file, a line, and a column.
      file = placed.record.location?.split(separator: ":").first.map(String.init)
    }
  }
}

extension Diagnostic.Code {
  /// A type whose services have several instances, because their scopes differ.
  package static let splitInstance: Self = "split-instance"
}
