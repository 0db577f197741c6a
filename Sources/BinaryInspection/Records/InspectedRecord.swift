import Foundation
package import Registry
import RegistryAnalysis

package struct InspectedRecord: Sendable, Equatable {
  package var kind: RecordKind
  package var offset: UInt64
  /// True if the record has an accessor, which provides the export. A record of a C class has no
  /// accessor and names the class.
  package var hasAccessor: Bool
  package var attributes: String
  package var isMalformed: Bool
  var isGrouped = false
  /// The full name of the type or Swift module that contains the record, as in Swift's metadata;
  /// nil if the file has no usable symbol for the record.
  var context: String? = nil

  package var isOfKnownKind: Bool { Self.knownKinds.contains(kind) }

  /// The source location of the attribute or macro that wrote the record, such as
  /// `Shop/Cart.swift:12:1`; nil for C code, whose contributions have an address expression.
  var location: String? { text { "at" ~= $0 || "handler" ~= $0 }.flatMap { $0.contains("/") ? $0 : nil } }

  /// The group of managers that read the record; nil if managers without a group read it.
  package var group: String? { isGrouped ? text { "group" ~= $0 } : nil }

  /// Returns the last string among the JSON members with the wanted keys.
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

  /// The JSON without source locations and lines, which can differ between slices of one file.
  var attributesWithoutLocation: String {
    var text = attributes
    // Quotation marks inside a string are escaped, so the first match isn't inside a string.
    for key in [",\"at\":\"", "\"handler\":\""] {
      guard let start = text.range(of: key, options: .literal),
        let end = text[start.upperBound...].firstIndex(of: "\"")
      else { continue }
      let handler = text[start.upperBound..<end]
      if key.first == "," {
        text.removeSubrange(start.lowerBound...end)
      } else if handler.contains("/") {
        text.replaceSubrange(start.upperBound..<end, with: handler.prefix { $0 != ":" })
      }
    }
    return text
  }

  static let knownKinds: Set<RecordKind> = [.module, .service, .handler, .route, .action, .contribution, .need]

  /// The contents, read on each access. They're empty for a malformed record.
  package var contents: RecordContents {
    isMalformed ? RecordContents() : RecordContents(of: attributes, kind)
  }
}
