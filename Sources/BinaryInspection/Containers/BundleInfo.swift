import Foundation

/// The executable that the Info.plist of a bundle names.
enum BundleInfo {
  /// Folders that are bundles by their name.
  private static let extensions: Set<String> = [
    "app", "framework", "appex", "bundle", "xpc", "plugin", "systemextension", "xctest",
  ]
  /// From the bundle's folder: on macOS, flat, of a framework with versions.
  private static let plistPaths = [
    "Contents/Info.plist", "Info.plist", "Resources/Info.plist", "Versions/Current/Resources/Info.plist",
  ]
  /// The largest size of an Info.plist, in bytes.
  private static let longest: UInt64 = 1 << 20
  /// The largest number of arrays and dictionaries in an XML list.
  ///
  /// Foundation's parser is recursive, and this many nested arrays fit on the stack.
  private static let mostContainers = 4_096

  static func isBundle(_ folder: String) -> Bool {
    extensions.contains((folder as NSString).pathExtension.lowercased())
  }

  /// The bundle's executable; nil if it says of none.
  ///
  /// - Throws: If Info.plist cannot be read, or the executable is not there.
  static func executable(of folder: String) throws(InspectionError) -> String? {
    let plist = plistPaths.map { "\(folder)/\($0)" }.first { isFile($0) }
    guard let plist else {
      // Frameworks made by hand have none, and yet a binary by their name.
      let name = ((folder as NSString).lastPathComponent as NSString).deletingPathExtension
      return existing(name, in: folder)
    }
    guard let name = try executableName(plist) else { return nil }
    guard !name.isEmpty, !name.contains("/"), name != ".", name != "..", !name.contains("\0") else {
      throw InspectionError(file: plist, message: "CFBundleExecutable is \"\(name)\", which is no file's name")
    }
    guard let file = existing(name, in: folder) else {
      throw InspectionError(
        file: folder, message: "its executable \"\(name)\" (CFBundleExecutable in \(plist)) is not in the bundle")
    }
    return file
  }

  private static func executableName(_ plist: String) throws(InspectionError) -> String? {
    let file = try FileBytes(path: plist)
    guard file.size <= longest else {
      throw InspectionError(file: plist, message: "has \(file.size) bytes, more than an Info.plist can need")
    }
    return try executableName(in: try file.read(0, Int(file.size)), of: plist)
  }

  /// Returns the name of the executable in the bytes of an Info.plist; nil if it has none.
  static func executableName(in bytes: [UInt8], of plist: String) throws(InspectionError) -> String? {
    guard bytes.starts(with: Array("bplist".utf8)) || bytes.containerCount <= mostContainers else {
      throw InspectionError(
        file: plist,
        message: "has more than \(mostContainers) arrays and dictionaries, more than an Info.plist can need")
    }
    do {
      return try PropertyListDecoder().decode(Contents.self, from: Data(bytes)).CFBundleExecutable
    } catch DecodingError.typeMismatch(_, let context) {
      let message = context.codingPath.isEmpty ? "is no dictionary" : "CFBundleExecutable is no string"
      throw InspectionError(file: plist, message: message)
    } catch {
      throw InspectionError(file: plist, message: "is no property list that can be read")
    }
  }

  /// The part of an Info.plist that is read.
  ///
  /// The decoder converts no other values. `PropertyListSerialization` would convert all of them,
  /// and arrays of a binary list that contain one another twice make up to 2^40 values of 200
  /// bytes.
  private struct Contents: Decodable {
    let CFBundleExecutable: String?
  }

  private static func existing(_ name: String, in folder: String) -> String? {
    let root = resolved(folder)
    return ["Contents/MacOS/\(name)", name, "Versions/Current/\(name)"].map { "\(folder)/\($0)" }.first {
      // A link in a framework leads to its current version; one that leads out of the bundle is none of its files.
      guard isFile($0), let root, let target = resolved($0) else { return false }
      return target.hasPrefix(root.hasSuffix("/") ? root : root + "/")
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension [UInt8] {
  /// The number of arrays and dictionaries in an XML property list.
  fileprivate var containerCount: Int {
    // A list in UTF-16 has zeros between the characters.
    let text = filter { $0 != 0 }
    var count = 0
    for index in text.indices.dropLast(2) where text[index] == UInt8(ascii: "<") {
      switch (text[index + 1], text[index + 2]) {
      case (UInt8(ascii: "a"), UInt8(ascii: "r")), (UInt8(ascii: "d"), UInt8(ascii: "i")): count += 1
      default: break
      }
    }
    return count
  }
}
