import Foundation
package import Registry

/// A record of a binary.
package struct InspectedRecord: Sendable, Equatable {
  package var kind: RecordKind
  /// The offset of the record in the file.
  package var offset: UInt64
  /// A Boolean value that indicates whether the record has an accessor.
  ///
  /// The records of Swift code have one, which provides what they export. The records of C code
  /// name a class instead.
  package var hasAccessor: Bool
  /// The JSON as in the file.
  package var attributes: String
  /// A Boolean value that indicates whether the record is invalid for its kind.
  package var isMalformed: Bool
  /// A Boolean value that indicates whether the record belongs to a group.
  var isGrouped = false
  /// The symbol of the record's constant in Swift code; nil if the file has none.
  var symbol: String? = nil

  /// A Boolean value that indicates whether this version knows the kind of the record.
  package var isOfKnownKind: Bool { Self.knownKinds.contains(kind) }

  /// The source location of the attribute or macro that wrote the record, such as
  /// `Shop/Cart.swift:12:1`; nil for records of C code.
  var location: String? { text { "at" ~= $0 || "handler" ~= $0 } }

  /// The group of managers that read the record; nil if all managers of loaded images read it.
  package var group: String? { isGrouped ? text { "group" ~= $0 } : nil }

  /// Returns the last text among the members of the JSON with the wanted keys.
  private func text(_ isWanted: (JSONText) -> Bool) -> String? {
    let text = try? Array(attributes.utf8).withJSONReader { reader throws(JSONError) in
      var text: String?
      var keys = try reader.object()
      while let key = try reader.key(&keys) {
        if isWanted(key), case .string = try reader.kind() { text = try reader.string() } else { try reader.skip() }
      }
      return text
    }
    return text ?? nil
  }

  /// The JSON without the source location, which can differ between slices of one file.
  var attributesWithoutLocation: String {
    // Quotes inside a string have a backslash, so the first range is not part of a string.
    guard let start = attributes.range(of: ",\"at\":\"", options: .literal) else { return attributes }
    let rest = attributes[start.upperBound...]
    guard let end = rest.firstIndex(of: "\"") else { return attributes }
    return String(attributes[..<start.lowerBound] + rest[rest.index(after: end)...])
  }

  static let knownKinds: Set<RecordKind> = [.module, .service, .handler, .route, .action, .contribution, .need]

  /// The contents of the JSON, which are read on each access; empty for a malformed record.
  package var contents: RecordContents {
    isMalformed ? RecordContents() : RecordContents(of: attributes, kind)
  }
}
