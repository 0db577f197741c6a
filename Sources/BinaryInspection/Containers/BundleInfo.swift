import Foundation

/// What a bundle's Info.plist says of its executable.
enum BundleInfo {
  /// Folders that are bundles by their name.
  private static let extensions: Set<String> = [
    "app", "framework", "appex", "bundle", "xpc", "plugin", "systemextension", "xctest",
  ]
  /// From the bundle's folder: on macOS, flat, of a framework with versions.
  private static let places = [
    "Contents/Info.plist", "Info.plist", "Resources/Info.plist", "Versions/Current/Resources/Info.plist",
  ]
  /// No such file is this long. What is made of it takes some thirty times as much, all of it at once.
  private static let longest: UInt64 = 1 << 20

  static func isBundle(_ folder: String) -> Bool {
    extensions.contains((folder as NSString).pathExtension.lowercased())
  }

  /// The bundle's executable; nil if it says of none.
  ///
  /// - Throws: If Info.plist cannot be read, or the executable is not there.
  static func executable(of folder: String) throws(InspectionError) -> String? {
    let plist = places.map { "\(folder)/\($0)" }.first { isFile($0) }
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
    let bytes = try file.read(0, Int(file.size))
    if bytes.starts(with: BinaryPropertyList.magic) {
      do throws(InspectionError) {
        return try BinaryPropertyList(BinaryView(file)).string(of: "CFBundleExecutable")
      } catch {
        throw InspectionError(
          file: plist, offset: error.offset, message: "is no property list that can be read: \(error.message)")
      }
    }
    guard bytes.nesting <= 64 else {
      throw InspectionError(file: plist, message: "is nested deeper than any Info.plist")
    }
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
    } catch {
      throw InspectionError(file: plist, message: "is no property list that can be read")
    }
    guard let dictionary = list as? [String: Any] else {
      throw InspectionError(file: plist, message: "is no dictionary")
    }
    guard let value = dictionary["CFBundleExecutable"] else { return nil }
    guard let name = value as? String else {
      throw InspectionError(file: plist, message: "CFBundleExecutable is no string")
    }
    return name
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
  /// How deep an XML property list nests at most: parsers that recurse are not to be asked to do it a million times.
  fileprivate var nesting: Int {
    var (depth, deepest) = (0, 0)
    for index in indices.dropLast() {
      switch (self[index], self[index + 1]) {
      case (UInt8(ascii: "<"), UInt8(ascii: "/")), (UInt8(ascii: "/"), UInt8(ascii: ">")): depth -= 1
      case (UInt8(ascii: "<"), UInt8(ascii: "?")), (UInt8(ascii: "<"), UInt8(ascii: "!")): break
      case (UInt8(ascii: "<"), _): depth += 1
      default: break
      }
      deepest = Swift.max(deepest, depth)
    }
    return deepest
  }
}
