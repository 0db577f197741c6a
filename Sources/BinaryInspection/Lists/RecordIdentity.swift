import Registry

/// The kind and the names of a record, independent of its offset.
///
/// A handler is identified by its file. Its line and column change with every edit above it.
struct RecordIdentity: Hashable {
  let kind: String
  let names: [String?]

  init?(_ record: InspectedRecord) {
    guard !record.isMalformed else { return nil }
    var attributes = record.attributes
    let members = try? attributes.withUTF8Bytes { bytes throws(JSONError) in
      var reader = JSONReader(bytes)
      return try Members(&reader)
    }
    guard let members else { return nil }
    self.init(kind: record.kind.description, members)
  }

  init(kind: String, _ members: Members) {
    self.kind = kind
    let handler = members.texts["handler"].map { $0.split(separator: ":").first.map(String.init) ?? $0 }
    let names = Self.keys.map { $0 == "handler" ? handler : members.texts[$0] }
    // A record of an unknown kind has none of these members. All of its members identify it.
    self.names = names.allSatisfy { $0 == nil } ? [members.all] : names
  }

  private static let keys = ["module", "class", "protocol", "name", "event", "route", "target", "action", "handler"]

  /// The members of a record's JSON.
  struct Members {
    fileprivate(set) var texts: [String: String] = [:]
    fileprivate(set) var all = ""

    init(_ reader: inout JSONReader) throws(JSONError) {
      var texts: [String: String] = [:]
      var pieces: [String] = []
      var keys = try reader.object()
      while let key = try reader.key(&keys) {
        let key = key.string
        let line = try JSONLine.next(&reader)
        pieces.append("\(JSONLine.text(key)):\(line.text)")
        if let text = line.string, RecordIdentity.keys.contains(key) { texts[key] = text }
      }
      self.texts = texts
      all = "{" + pieces.sorted().joined(separator: ",") + "}"
    }
  }

  /// The identity as it appears in messages.
  ///
  /// Examples are `modu Cart.CartModule` and
  /// `serv ShopAPI.CartService by Cart.DefaultCart named "fast"`.
  var description: String {
    guard names.count == Self.keys.count else { return "\(kind) \((names[0] ?? "").escapedForDisplay())" }
    func text(_ key: String) -> String? { Self.keys.firstIndex(of: key).flatMap { names[$0] }?.escapedForDisplay() }
    let action = text("target").map { "\($0).\(text("action") ?? "")" }
    let what = text("protocol") ?? text("event") ?? text("route") ?? action
    let who = text("module") ?? text("class") ?? text("handler")
    let pieces = [kind, what, what == nil ? nil : "by", who]
    return pieces.compactMap { $0 }.joined(separator: " ") + (text("name").map { " named \"\($0)\"" } ?? "")
  }
}
