internal import RegistryC

/// A record in a loaded image, such as the record of an exported module or service.
public struct ExportedRecord: Sendable, CustomStringConvertible {
  let section: RecordSection
  let json: Range<Int>
  // Always callable, because images with accessors are pinned.
  package let accessor: RecordAccessor?
  /// The kind of declaration that the record describes.
  public let kind: RecordKind
  let isGrouped: Bool

  /// The image that contains the record.
  public var image: LoadedImage { section.image }

  /// The offset of the record in bytes from the start of its section or note segment.
  package var offset: Int { json.lowerBound - Int(REGISTRY_HEADER_SIZE) }

  /// The JSON of the record, with invalid UTF-8 repaired.
  public var attributes: String { withJSON { String(decoding: $0, as: UTF8.self) } }

  /// A Boolean value that indicates whether the record has an accessor. Records from C macros,
  /// except contributions, contain names instead.
  package var hasAccessor: Bool { accessor != nil }

  public var description: String {
    "\(kind) \(attributes.escapedForDisplay(limit: 1_000)) in \(image)"
  }

  /// Calls a closure with the JSON, without copying it.
  ///
  /// The bytes are valid while the record exists.
  package func withJSON<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes)
  }

  /// The JSON, which is valid while the record exists.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: section.bytes[json]) }

  package var location: String { "record at offset \(offset)" }

  // Few callers need these values, so the properties below read the JSON on each access.

  /// The name of the exported type, or of the type that a route creates, as the record spells it.
  ///
  /// An example is `Cart.DefaultCart`. The value is nil if the record names no type, or if the JSON
  /// is invalid. Reading the property takes about a microsecond.
  public var typeName: String? { member(kind == .module ? "module" : "class") }

  /// The name of the subject that the record exports or needs, such as a service or a route.
  ///
  /// Names are spelled as in the source code, so a protocol's name can be a type alias or lack the
  /// module. An action's name has the form `orders.show`. The value is nil if the record exports a
  /// module or an event handler, or if the kind is unknown or the JSON is invalid. Reading the
  /// property takes about a microsecond, or a few microseconds for an action or a need.
  public var name: String? {
    switch kind {
    case .service: return member("protocol")
    case .route: return member("route")
    case .contribution: return member("point")
    case .action:
      guard let target = member("target"), let action = member("action") else { return nil }
      return "\(target).\(action)"
    case .need: return member("protocol") ?? member("route") ?? member("module") ?? member("point")
    default: return nil
    }
  }

  /// The group of the record, such as `document`; nil if there is none or the JSON is invalid.
  ///
  /// Reading the property of a record with a group takes about a microsecond.
  public var group: String? { isGrouped ? member("group") : nil }

  /// Returns the reason why a manager does not use the record, and the fix.
  package func exclusion(_ what: String) -> String {
    guard let group else {
      return "the manager's records leave out \(what) in \(image); pass 'parent: .shared', or correct 'records:'"
    }
    return "\(what) in \(image) belongs to the group \(group.quotedForDisplay()); use a manager with"
      + " \(RecordSource.argument(group))"
  }

  /// The condition of the exported service or contribution, as records spell it.
  package var condition: String? { member("when") }

  /// The source location of the exported handler, route, action, or contribution, such as
  /// `Shop/Greeting.swift:12:1`. For a contribution in C code, it's the expression for the address.
  ///
  /// The value is nil for other records, such as a route that names a type, or if the JSON is
  /// invalid. Reading the property takes about a microsecond.
  public var handlerName: String? {
    switch kind {
    case .handler, .route, .action, .contribution: member("handler")
    default: nil
    }
  }

  /// The address of the copied JSON, which identifies the record in this process.
  package var address: UInt { withJSON { UInt(bitPattern: $0.baseAddress) } }

  package func member(_ name: StaticString) -> String? {
    var member = Member(name: name)
    do throws(JSONError) {
      try member.read(self)
    } catch {
      return nil
    }
    return member.text
  }

  private struct Member: JSONMembers {
    let name: StaticString
    var text: String?
    var problem: String? { nil }

    mutating func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
      if name ~= key { text = try reader.string() } else { try reader.skip() }
    }
  }
}

extension JSONMembers {
  // Don't call `withJSON`, whose closure would return a copy of the members.
  package mutating func read(_ record: ExportedRecord) throws(JSONError) {
    try read(record.bytes)
    withExtendedLifetime(record) {}
  }
}

/// The function of a record that identifies types and provides a value, such as a factory; see
/// `RecordFormat.md`.
package typealias RecordAccessor =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, UInt) -> Bool

/// The copied bytes of one section or note segment, shared by its records.
final class RecordSection: @unchecked Sendable {
  // Unchecked: the bytes never change, and the snapshot's only role is to keep them alive.
  let image: LoadedImage
  let bytes: UnsafeRawBufferPointer
  /// The snapshot that contains the bytes; nil if they are this object's copy.
  private let keeper: ImageSnapshot?

  init(_ image: LoadedImage, _ source: UnsafeRawBufferPointer, keeper: ImageSnapshot?) {
    (self.image, self.keeper) = (image, keeper)
    if keeper != nil {
      bytes = source
    } else {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 8)
      copy.copyMemory(from: source)
      bytes = UnsafeRawBufferPointer(copy)
    }
  }

  deinit {
    if keeper == nil { bytes.deallocate() }
  }
}

/// A snapshot of the loaded images. Releasing the object frees the memory.
final class ImageSnapshot {
  let pointer: UnsafeMutablePointer<registry_snapshot>

  init?(after serial: UInt64) {
    guard let pointer = registry_images_snapshot(serial) else { return nil }
    self.pointer = pointer
  }

  deinit {
    registry_snapshot_free(pointer)
  }
}
