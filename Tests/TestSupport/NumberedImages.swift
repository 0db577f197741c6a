import Foundation

/// A large number of images that contain only C records.
///
/// To save time, only one image is linked. The others are copies with other digits.
public final class NumberedImages {
  /// The placeholder for an image's number in the records.
  public static let placeholder = "00000"

  public let paths: [String]
  private let folder: URL

  /// Creates the images.
  ///
  /// - Parameters:
  ///   - count: The number of images.
  ///   - records: The records of each image, which contain the placeholder instead of the image's
  ///     number.
  public init(_ count: Int, records: RecordBytes) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("registry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let data = folder.appendingPathComponent("records.bin").path
    let source = folder.appendingPathComponent("image.s").path
    let template = folder.appendingPathComponent("template.so")
    try Data(records.bytes).write(to: URL(fileURLWithPath: data))
    // The assembler includes the bytes unchanged and takes a moment for a hundred thousand records.
    // A compiler would take minutes.
    try Data(".section .note.registry,\"aw\",%note\n.balign 8\n.incbin \"\(data)\"\n".utf8)
      .write(to: URL(fileURLWithPath: source))
    let result = try Command.run("clang", ["-shared", "-nostdlib", source, "-o", template.path])
    guard result.succeeded else { throw SharedObject.CompilerFailed(output: result.output) }
    let bytes = try Data(contentsOf: template)
    let places = Self.places(of: Data(Self.placeholder.utf8), in: bytes)
    let folder = folder
    paths = try (0..<count).map { index in
      var copy = bytes
      let digits = Data(String(String(100_000 + index).dropFirst()).utf8)
      for place in places { copy.replaceSubrange(place..<(place + digits.count), with: digits) }
      let file = folder.appendingPathComponent("libload\(index).so")
      noteCreatedImage(file.path)
      try copy.write(to: file)
      return file.path
    }
  }

  private static func places(of text: Data, in bytes: Data) -> [Int] {
    var places: [Int] = []
    var from = bytes.startIndex
    while let found = bytes.range(of: text, in: from..<bytes.endIndex) {
      places.append(found.lowerBound)
      from = found.upperBound
    }
    return places
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}
