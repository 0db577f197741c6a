/// A sequence of well-formed and malformed records as bytes.
public struct RecordBytes: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// The offset of the next byte.
  public var offset: Int { bytes.count }

  /// Appends bytes unchanged.
  public mutating func raw(_ bytes: some Sequence<UInt8>) { self.bytes += bytes }

  /// Appends a C record whose header does not need to match its contents.
  ///
  /// - Parameters:
  ///   - room: The number of bytes for the JSON, its terminator, and the padding; nil for the
  ///     number that these need.
  ///   - keep: The number of bytes of the record to append; nil for all.
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
