internal import RegistryC

/// A record found in an image.
public struct ExportedRecord: Sendable, CustomStringConvertible {
  /// What it is about.
  public let kind: RecordKind
  private let section: RecordSection
  private let json: Range<Int>
  // A C function pointer has no state; it stays callable because images with accessors are pinned.
  package let accessor: RecordAccessor?

  init(kind: RecordKind, section: RecordSection, json: Range<Int>, accessor: RecordAccessor?) {
    self.kind = kind
    self.section = section
    self.json = json
    self.accessor = accessor
  }

  /// The image that exports it.
  public var image: LoadedImage { section.image }

  /// Where the record's JSON stands in the image, in bytes from the start of its section or note segment.
  public var offset: Int { json.lowerBound - Int(REGISTRY_HEADER_SIZE) }

  /// The record's JSON as it stands in the image; what is not UTF-8 is replaced.
  public var attributes: String { withJSON { String(decoding: $0, as: UTF8.self) } }

  /// Whether Swift code wrote it: such a record brings its type along, a C record only its name.
  public var hasAccessor: Bool { accessor != nil }

  /// The same record of an image that was opened anew, though it had stayed mapped.
  func moved(to image: LoadedImage) -> ExportedRecord {
    ExportedRecord(kind: kind, section: section.moved(to: image), json: json, accessor: accessor)
  }

  public var description: String {
    "\(kind) \(attributes.escapedForDisplay(limit: 1_000)) in \(image)"
  }

  /// Reads the JSON without copying it.
  package func withJSON<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: section.bytes[json]))
  }

  /// A name for this record in messages about it, as long as nothing better is known.
  package var place: String { "record at offset \(offset)" }
}

/// The function behind a record; `RecordFormat.md` says what it does.
package typealias RecordAccessor =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, UInt) -> Bool

/// The copied bytes of one section or note segment, shared by its records.
final class RecordSection: Sendable {
  let image: LoadedImage
  private let copy: RecordBytes

  var bytes: UnsafeRawBufferPointer { copy.bytes }

  init(image: LoadedImage, copy: RecordBytes) {
    self.image = image
    self.copy = copy
  }

  func moved(to image: LoadedImage) -> RecordSection { RecordSection(image: image, copy: copy) }
}

/// Bytes that are eight-byte aligned.
final class RecordBytes: @unchecked Sendable {
  // Unchecked: written before anybody else has it, never again, and freed once.
  let bytes: UnsafeRawBufferPointer
  /// Whose bytes they are; nil if they are a copy.
  private let snapshot: ImageSnapshot?

  init(copying source: UnsafeRawBufferPointer) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 8)
    copy.copyMemory(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    snapshot = nil
  }

  init(_ bytes: UnsafeRawBufferPointer, of snapshot: ImageSnapshot) {
    self.bytes = bytes
    self.snapshot = snapshot
  }

  deinit {
    if snapshot == nil { bytes.deallocate() }
  }
}

/// Owns what `registry_images_snapshot` returned.
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
