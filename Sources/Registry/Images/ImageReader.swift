internal import RegistryC

enum ImageReader {
  /// Reads the records of an image.
  ///
  /// - Parameter keeper: The snapshot that the records retain, or nil to copy their bytes.
  /// - Returns: The image, or nil if the loader refuses to pin it. The next scan must then try
  ///   again.
  static func read(_ source: registry_image, as image: LoadedImage, keeper: ImageSnapshot?) -> CatalogedImage? {
    var (records, grouped): ([ExportedRecord], [ExportedRecord]) = ([], [])
    var problems: [Diagnostic] = []
    var hasLibrary = false
    var pinned = registry_segment()
    for section in UnsafeBufferPointer(start: source.sections, count: source.section_count) {
      let bytes = UnsafeRawBufferPointer(start: section.bytes, count: section.size)
      let holder = RecordSection(image, bytes, keeper: keeper)
      // Reserve memory for 96-byte records. Few are shorter, and excess memory is never touched.
      records.reserveCapacity(records.count + section.size / 96)
      var walker = registry_walk(section.bytes, section.size, section.alignment)
      var item = registry_item()
      while true {
        let step = registry_walk_next(&walker, &item)
        if step == REGISTRY_STEP_END { break }
        guard step == REGISTRY_STEP_RECORD else {
          let isVersion = step == REGISTRY_STEP_OTHER_VERSION
          problems.append(
            problem(item, image, isVersion ? .unsupportedVersion : .malformedRecord, String(cString: item.problem)))
          continue
        }
        let (kind, isGrouped) = RecordKind.read(item.kind)
        if kind == .library {
          hasLibrary = true
          continue
        }
        // Images with Swift code must stay mapped, because the runtime keeps pointers into them
        // ("Images" in RecordFormat.md). An accessor outside all images must not be called.
        if let accessor = item.accessor {
          switch pin(unsafeBitCast(accessor, to: UInt.self), &pinned) {
          case REGISTRY_PIN_KEPT: break
          case REGISTRY_PIN_REFUSED: return nil
          default:
            problems.append(
              problem(
                item, image, .malformedRecord,
                "the accessor is not in a loaded image, or its image was closed during the scan; the record is ignored"
              ))
            continue
          }
        }
        let start = item.offset + Int(REGISTRY_HEADER_SIZE)
        let record = ExportedRecord(
          section: holder, json: start..<(start + item.json_size), accessor: item.accessor, kind: kind,
          isGrouped: isGrouped)
        if isGrouped { grouped.append(record) } else { records.append(record) }
      }
    }
    return CatalogedImage(
      image, records, grouped: grouped, problems, base: UInt(source.base), load: source.serial, hasLibrary: hasLibrary)
  }

  /// Pins an accessor's image. Most accessors are in the same segment as the previous one.
  private static func pin(_ address: UInt, _ pinned: inout registry_segment) -> registry_pin_result {
    if address >= pinned.start, address < pinned.end { return REGISTRY_PIN_KEPT }
    return registry_image_pin_segment(UnsafeRawPointer(bitPattern: address), &pinned)
  }

  private static func problem(
    _ item: registry_item, _ image: LoadedImage, _ code: Diagnostic.Code, _ message: String
  ) -> Diagnostic {
    Diagnostic(
      severity: .error, code: code, subject: "record at offset \(item.offset)", image: image, message: message)
  }
}
