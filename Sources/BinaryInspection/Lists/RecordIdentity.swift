import Registry
import RegistryAnalysis

/// The properties that identify a record regardless of its offset.
struct RecordIdentity: Hashable, CustomStringConvertible {
  let kind: String
  /// The type, the source file, or the expression in C; for an unknown kind, the complete JSON.
  /// Lines and columns are left out, because edits earlier in the file change them.
  let subject: String
  let target: String?
  let name: String?
  let group: String?

  init?(kind: String, json: String, group: String?) {
    (self.kind, self.group) = (kind, group)
    guard let known = InspectedRecord.knownKinds.first(where: { $0.description == kind }) else {
      guard let text = try? JSONLine.normalized(json) else { return nil }
      (subject, target, name) = (text, nil, nil)
      return
    }
    let contents = RecordContents(of: json, known)
    guard let subject = contents.subject else { return nil }
    // In C++, the subject of a contribution can be a qualified name, such as `cart::rows`.
    self.subject = contents.type ?? (subject.contains("/") ? String(subject.prefix { $0 != ":" }) : subject)
    (target, name) = (contents.target, contents.service?.name ?? contents.contribution?.key)
  }

  /// For example, `modu Cart.CartModule` or `serv ShopAPI.CartService by Cart.DefaultCart named
  /// "fast"`.
  var description: String {
    "\(kind) \(target.map { "\($0.escapedForDisplay()) by " } ?? "")\(subject.escapedForDisplay())"
      + (name.map { " named \"\($0.escapedForDisplay())\"" } ?? "")
      + (group.map { " in group \($0.quotedForDisplay())" } ?? "")
  }
}

extension ImageRecord {
  var identity: RecordIdentity? {
    RecordIdentity(kind: record.kind.description, json: record.attributes, group: record.group)
  }
}
