/// What a service's record says, read from its JSON. Valid as long as the JSON's bytes.
package struct ServiceAttributes {
  package var service = JSONText("")
  package var implementation = JSONText("")
  package var scope = ServiceScope.transient
  package var name: String?
  package var priority = 0

  /// Reads `{"protocol":…,"class":…,"scope":…,"name":…,"priority":…}`; other members are passed over.
  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(json)
    try reader.object { reader, key throws(JSONError) in
      switch key {
      case "protocol": service = try reader.text()
      case "class": implementation = try reader.text()
      case "name": name = try reader.string()
      case "priority": priority = try reader.integer()
      case "scope":
        let text = try reader.text()
        switch text {
        case "transient": scope = .transient
        case "shared": scope = .shared
        case "weak": scope = .weak
        default: throw reader.error("the unknown scope \"\(text.string.escapedForDisplay())\"")
        }
      default: try reader.skip()
      }
    }
    try reader.end()
    if service.isEmpty { throw reader.error("no \"protocol\"") }
    if implementation.isEmpty { throw reader.error("no \"class\"") }
  }
}
