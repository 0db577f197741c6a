import Foundation
import Manifests

/// A reader of the executable's name in the Info.plist of a bundle.
enum BundleInfo {
  /// The extensions of folders that are bundles.
  private static let extensions: Set<String> = [
    "app", "framework", "appex", "bundle", "xpc", "plugin", "systemextension", "xctest",
  ]
  /// The possible paths of Info.plist in a bundle: on macOS, in a flat bundle, or in a framework.
  private static let plistPaths = [
    "Contents/Info.plist", "Info.plist", "Resources/Info.plist", "Versions/Current/Resources/Info.plist",
  ]
  /// The largest size of an Info.plist, in bytes.
  private static let longest: UInt64 = 1 << 20

  static func isBundle(_ folder: String) -> Bool {
    extensions.contains((folder as NSString).pathExtension.lowercased())
  }

  /// Returns the path of a bundle's executable; nil if the bundle names none.
  ///
  /// - Throws: An ``InspectionError`` if Info.plist cannot be read or the executable does not
  ///   exist.
  static func executable(of folder: String) throws(InspectionError) -> String? {
    let plist = plistPaths.map { "\(folder)/\($0)" }.first { isFile($0) }
    guard let plist else {
      // Frameworks that were created by hand can lack an Info.plist. Their binary has the folder's
      // name.
      let name = ((folder as NSString).lastPathComponent as NSString).deletingPathExtension
      return existing(name, in: folder)
    }
    guard let name = try executableName(plist) else { return nil }
    guard !name.isEmpty, !name.contains("/"), name != ".", name != "..", !name.contains("\0") else {
      throw InspectionError(file: plist, message: "'CFBundleExecutable' is '\(name)', which is not a file name")
    }
    guard let file = existing(name, in: folder) else {
      throw InspectionError(
        file: folder,
        message: "the executable '\(name)' ('CFBundleExecutable' in '\(plist)') is not in the bundle")
    }
    return file
  }

  private static func executableName(_ plist: String) throws(InspectionError) -> String? {
    let file = try FileBytes(path: plist)
    guard file.size <= longest else {
      throw InspectionError(
        file: plist, code: .unsupportedFile,
        message: "has \(file.size) bytes, but an Info.plist must have at most \(longest) bytes")
    }
    return try executableName(in: try file.read(0, Int(file.size)), of: plist)
  }

  /// Returns the name of the executable in the bytes of an Info.plist; nil if it has none.
  static func executableName(in bytes: [UInt8], of plist: String) throws(InspectionError) -> String? {
    let decodable: [UInt8]
    do throws(PropertyListError) {
      decodable = try PropertyListCheck.decodableBytes(of: bytes)
    } catch {
      throw InspectionError(file: plist, message: "is not a readable property list: it has \(error.problem)")
    }
    do {
      return try PropertyListDecoder().decode(Contents.self, from: Data(decodable)).CFBundleExecutable
    } catch DecodingError.typeMismatch(_, let context) {
      let message = context.codingPath.isEmpty ? "is not a dictionary" : "'CFBundleExecutable' is not a string"
      throw InspectionError(file: plist, message: message)
    } catch {
      throw InspectionError(file: plist, message: "is not a readable property list")
    }
  }

  /// The part of an Info.plist that is read.
  ///
  /// The decoder converts no other values. `PropertyListSerialization` would convert all of them,
  /// and nested arrays of a binary list that each contain another array twice become up to 2^40
  /// values of 200 bytes.
  private struct Contents: Decodable {
    let CFBundleExecutable: String?
  }

  private static func existing(_ name: String, in folder: String) -> String? {
    let root = realPath(folder)
    return ["Contents/MacOS/\(name)", name, "Versions/Current/\(name)"].map { "\(folder)/\($0)" }.first {
      // A framework contains a link to the executable of its current version. A link that leads out
      // of the bundle does not name a file of the bundle.
      return isFile($0) && realPath($0).hasPrefix(root.hasSuffix("/") ? root : root + "/")
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
