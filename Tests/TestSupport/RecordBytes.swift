/// Bytes of records, good and bad, one after the other.
public struct RecordBytes: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// Where the next thing goes.
  public var offset: Int { bytes.count }

  /// Adds bytes as they are.
  public mutating func raw(_ bytes: some Sequence<UInt8>) { self.bytes += bytes }

  /// Adds a C record; what is given may lie.
  ///
  /// - Parameters:
  ///   - room: How many bytes there are for the JSON, terminator and padding; as many as it needs if nil.
  ///   - keep: How many bytes of the record there are; all of them if nil.
  public mutating func record(
    _ json: some Collection<UInt8>, kind: UInt32 = 0x7365_7276, name: String = "Registry", nameSize: UInt32 = 9,
    payloadSize: UInt32? = nil, room: Int? = nil, padding: UInt8 = 0, keep: Int? = nil
  ) {
    let start = offset
    let room = room ?? (json.count + 8) / 8 * 8
    for word in [nameSize, payloadSize ?? UInt32(8 + room), kind] {
      withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
    }
    bytes += Array(name.utf8) + [UInt8](repeating: 0, count: 12 - name.utf8.count)
    bytes += [UInt8](repeating: 0, count: 8) + json
    bytes += [UInt8](repeating: padding, count: max(0, room - json.count))
    if let keep { bytes.removeLast(offset - start - keep) }
  }

  public mutating func record(_ json: String, kind: UInt32 = 0x7365_7276) { record(Array(json.utf8), kind: kind) }
}
