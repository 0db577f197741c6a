import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Apps, frameworks, and other folders.
@Suite struct FolderTests {
  private let binary = Data(HandmadeELF().bytes)

  private func make(_ files: [String: Data], in folder: String) throws {
    for (path, data) in files {
      let file = URL(fileURLWithPath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
  }

  private func plist(_ values: [String: String], _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
    -> Data
  {
    try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
  }

  @Test("an app's executable comes first, then its frameworks, its plug-ins, and other binaries")
  func app() throws {
    try BuiltELF.inFolder { folder in
      try make(
        [
          "Shop.app/Info.plist": plist(["CFBundleExecutable": "Shop"], .binary), "Shop.app/Shop": binary,
          "Shop.app/Assets.car": Data("text".utf8), "Shop.app/A.dylib": binary, "Shop.app/empty": Data(),
          "Shop.app/Frameworks/Cart.framework/Cart": binary, "Shop.app/Frameworks/libswift.dylib": binary,
          "Shop.app/Frameworks/Cart.framework/Info.plist": plist(["CFBundleExecutable": "Cart"]),
          "Shop.app/PlugIns/Today.appex/Today": binary, "Shop.app/PlugIns/Today.appex/A": binary,
          "Shop.app/PlugIns/Today.appex/Info.plist": plist(["CFBundleExecutable": "Today"]),
          "Shop.app/Shop.dSYM/Contents/Resources/DWARF/Shop": binary,
        ], in: folder)
      let result = SearchResult("\(folder)/Shop.app/", in: folder)
      #expect(
        result.found == [
          "Shop.app/Shop", "Shop.app/Frameworks/Cart.framework/Cart", "Shop.app/Frameworks/libswift.dylib",
          "Shop.app/PlugIns/Today.appex/Today", "Shop.app/PlugIns/Today.appex/A", "Shop.app/A.dylib",
        ])
      #expect(result.errors.isEmpty && result.remarks.isEmpty)
    }
  }

  @Test("binaries of a macOS app and framework are found in folders and behind links, once each")
  func macOS() throws {
    try BuiltELF.inFolder { folder in
      let framework = "Shop.app/Contents/Frameworks/Cart.framework"
      try make(
        [
          "Shop.app/Contents/Info.plist": plist(["CFBundleExecutable": "Shop"]), "Shop.app/Contents/MacOS/Shop": binary,
          "Shop.app/Contents/MacOS/helper": binary, "\(framework)/Versions/A/Cart": binary,
          "\(framework)/Versions/A/Resources/Info.plist": plist(["CFBundleExecutable": "Cart"]),
        ], in: folder)
      for (link, target) in [
        ("Versions/Current", "A"), ("Cart", "Versions/Current/Cart"), ("Resources", "Versions/Current/Resources"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/\(framework)/\(link)", withDestinationPath: target)
      }
      let result = SearchResult("\(folder)/Shop.app", in: folder)
      #expect(
        result.found == ["Shop.app/Contents/MacOS/Shop", "Shop.app/Contents/MacOS/helper", "\(framework)/Cart"])
      #expect(result.errors.isEmpty)
    }
  }

  @Test("links neither leave a folder nor form cycles")
  func links() throws {
    try BuiltELF.inFolder { folder in
      try make(["in/a": binary, "out/b": binary], in: folder)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/in/loop", withDestinationPath: ".")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/in/out", withDestinationPath: "../out")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/in/b", withDestinationPath: "../out/b")
      try FileManager.default.linkItem(atPath: "\(folder)/in/a", toPath: "\(folder)/in/same")
      #expect(SearchResult("\(folder)/in", in: folder).found == ["in/a"])
      // A symbolic link that the caller names is followed.
      #expect(SearchResult("\(folder)/in/b", in: folder).found == ["in/b"])
    }
  }

  @Test("a bundle without its declared executable is an error that names it")
  func missingExecutable() throws {
    try BuiltELF.inFolder { folder in
      try make(["A.app/Info.plist": plist(["CFBundleExecutable": "Shop"]), "A.app/other": binary], in: folder)
      try make(["outside": binary], in: folder)
      var result = SearchResult("\(folder)/A.app", in: folder)
      #expect(result.found == ["A.app/other"])
      #expect(result.errors.map(\.file) == ["A.app"])
      #expect(result.errors.first?.message.hasPrefix("the executable 'Shop' ('CFBundleExecutable' in ") == true)

      try FileManager.default.createSymbolicLink(atPath: "\(folder)/A.app/Shop", withDestinationPath: "../outside")
      result = SearchResult("\(folder)/A.app", in: folder)
      #expect(result.errors.count == 1 && result.found == ["A.app/other"])

      try make(["A.app/Info.plist": plist(["CFBundleExecutable": "../outside"])], in: folder)
      result = SearchResult("\(folder)/A.app", in: folder)
      #expect(result.errors.map(\.message) == ["'CFBundleExecutable' is '../outside', which is not a file name"])
    }
  }

  @Test("an executable that is not a binary is an error, because the bundle declares it")
  func executableIsText() throws {
    try BuiltELF.inFolder { folder in
      try make(["A.app/Info.plist": plist(["CFBundleExecutable": "A"]), "A.app/A": Data()], in: folder)
      #expect(SearchResult("\(folder)/A.app", in: folder).errors.map(\.message) == ["is empty"])
    }
  }

  @Test("frameworks without Info.plist, and those that are archives")
  func frameworks() throws {
    try BuiltELF.inFolder { folder in
      let name = "a.o/".padding(toLength: 48, withPad: " ", startingAt: 0)
      var archive = Data("!<arch>\n\(name)768       `\n".utf8)
      archive += binary
      try make(
        [
          "Cart.xcframework/Info.plist": plist(["CFBundlePackageType": "XFWK"]),
          "Cart.xcframework/ios-arm64/Cart.framework/Cart": archive,
          "Cart.xcframework/ios-arm64/Cart.framework/Headers/Cart.h": Data("x".utf8),
          "Cart.xcframework/linux/libcart.a": archive,
        ], in: folder)
      let result = SearchResult("\(folder)/Cart.xcframework", in: folder)
      #expect(
        result.found == [
          "Cart.xcframework/ios-arm64/Cart.framework/Cart(a.o)", "Cart.xcframework/linux/libcart.a(a.o)",
        ])
      #expect(result.errors.isEmpty && result.remarks.isEmpty)
    }
  }

  @Test("an Info.plist that cannot be read is an error, however it is damaged")
  func damagedPlists() throws {
    let depth = 60_000
    let head = "<?xml version=\"1.0\"?><plist version=\"1.0\">"
    let nested = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    let plists = String(repeating: "<plist>", count: 140_000)
    let unreadable = "is not a readable property list"
    let form = unreadable + ": it has a format other than XML and binary; convert it with 'plutil -convert xml1'"
    let cases: [(Data, String)] = [
      (Data("{".utf8), form), (Data("{ CFBundleExecutable = A; }".utf8), form),
      (Data(String(repeating: "{ a = ", count: depth).utf8), form), (Data(), unreadable + ": it has no content"),
      (Data((head + nested + "</plist>").utf8), unreadable + ": it has nesting deeper than 64 (line 1)"),
      (Data(("<?xml version=\"1.0\"?>" + plists).utf8), unreadable + ": it has nesting deeper than 64 (line 1)"),
      (
        Data([0xff, 0xfe]) + plists.prefix(70_000).data(using: .utf16LittleEndian)!,
        unreadable + ": it has nesting deeper than 64 (line 1)"
      ),
      (plists.prefix(70_000).data(using: .utf16BigEndian)!, unreadable + ": it has text that is not UTF-8"),
      (Data("<plist><dict>".utf8) + [0xff], unreadable + ": it has text that is not UTF-8"),
      (
        Data((head + "<dict></plist>").utf8),
        unreadable + ": it has a syntax error: a closing tag that does not match the opening tag (line 1)"
      ),
      (Data((head + "<dict>").utf8), unreadable),
      (Data((head + "<array/></plist>").utf8), "is not a dictionary"),
      (Data(count: 5 << 20), "has 5242880 bytes, but an Info.plist must have at most 1048576 bytes"),
      (
        Data((head + "<dict><key>CFBundleExecutable</key><true/></dict></plist>").utf8),
        "'CFBundleExecutable' is not a string"
      ),
    ]
    for (data, message) in cases {
      try BuiltELF.inFolder { folder in
        try make(["A.app/Info.plist": data, "A.app/A": binary], in: folder)
        let result = SearchResult("\(folder)/A.app", in: folder)
        #expect(result.errors.map(\.message) == [message])
        #expect(result.errors.map(\.file) == ["A.app/Info.plist"])
        #expect(result.found == ["A.app/A"])
      }
    }
  }

  /// Returns a binary property list of objects.
  ///
  /// The first object is the outermost one.
  private func binaryList(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
    return Data(bytes + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, table])
  }

  @Test("an exponential binary property list is cheap, and a damaged one is an error")
  func hostileBinaryLists() throws {
    let key: [UInt8] = [0x5f, 0x10, 18] + Array("CFBundleExecutable".utf8)
    let wide: [UInt8] = [0x61, 0x00, 0x41]
    // The dictionary contains the executable and forty arrays. Each array refers to the next one
    // twice.
    let other: [UInt8] = [0x51, 0x42]
    let first: [[UInt8]] = [[0xd2, 3, 1, 4, 2], key, wide, other]
    let arrays: [[UInt8]] = (5..<45).map { (next: UInt8) -> [UInt8] in [0xa2, next, next] }
    let last: [[UInt8]] = [[0x08]]
    let bomb = binaryList(first + arrays + last)
    let beyond =
      "is not a readable property list: it has an object of an unknown kind, or one that extends beyond the objects"
    // The property list contains an array that claims 2^63 elements.
    var short: [UInt8] = Array("bplist00".utf8) + [0xaf, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4] + key
    short += [0x51, 0x41, 0, 0, 0, 8, 0, 0, 0, 0x16, 0, 0, 0, 0x2b] + [UInt8](repeating: 0, count: 6) + [4, 1]
    for number: UInt8 in [3, 0, 0x2d] { short += [UInt8](repeating: 0, count: 7) + [number] }
    let cases: [(Data, String?)] = [
      (bomb, nil), (binaryList([[0xa1, 0]]), "is not a dictionary"),
      (binaryList([[0xd1, 1, 0], key]), "'CFBundleExecutable' is not a string"),
      (binaryList([[0xd1, 9, 0]]), "is not a readable property list"),
      (binaryList([[0xdf, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]), beyond),
      (binaryList([[0xdf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]), beyond),
      (binaryList([[0xd1, 1, 2], key, [0xaf, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]]), beyond),
      (binaryList([[0xd1, 1, 2], [0xdf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x09]]), beyond),
      (Data(short), beyond),
      (bomb.prefix(30), "is not a readable property list: it has no trailer, because it is truncated"),
      (
        Data("bplist01".utf8) + bomb.dropFirst(8),
        "is not a readable property list: it has a version other than 00"
      ),
    ]
    for (data, message) in cases {
      try BuiltELF.inFolder { folder in
        try make(["A.app/Info.plist": data, "A.app/A": binary], in: folder)
        let result = SearchResult("\(folder)/A.app", in: folder)
        #expect(result.errors.map(\.message) == (message.map { [$0] } ?? []))
        #expect(result.found == ["A.app/A"])
      }
    }
  }

  @Test("an Info.plist in UTF-16 is read, if it has a byte order mark")
  func infoPlistInUTF16() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict><key>CFBundleExecutable</key><string>Ä</string></dict></plist>"
    for (mark, encoding) in [
      ([0xff, 0xfe], .utf16LittleEndian), ([0xfe, 0xff], .utf16BigEndian), ([0xef, 0xbb, 0xbf], .utf8),
    ]
      as [([UInt8], String.Encoding)]
    {
      let bytes = mark + [UInt8](text.data(using: encoding)!)
      #expect(try BundleInfo.executableName(in: bytes, of: "x") == "Ä")
    }
  }

  @Test("a binary property list that is damaged anywhere is no crash")
  func damagedBinaryLists() throws {
    let whole = [UInt8](
      try PropertyListSerialization.data(
        fromPropertyList: ["CFBundleExecutable": "Überall", "B": ["c": 1], "D": String(repeating: "x", count: 300)],
        format: .binary, options: 0))
    func read(_ bytes: [UInt8]) throws(InspectionError) -> String? {
      try BundleInfo.executableName(in: bytes, of: "x")
    }
    #expect(try read(whole) == "Überall")
    for index in whole.indices {
      for value: UInt8 in [0, 1, 0x0f, 0x7f, 0x80, 0xd1, 0xdf, 0xff] {
        var damaged = whole
        damaged[index] = value
        _ = try? read(damaged)
      }
      _ = try? read(Array(whole[..<index]))
    }
  }

  @Test("an argument that is not a binary is an error, and a file in a folder is skipped")
  func noBinary() throws {
    try BuiltELF.inFolder { folder in
      try make(["libc.so": Data("/* GNU ld script */".utf8), "empty": Data(), "a": binary], in: folder)
      #expect(
        SearchResult("\(folder)/libc.so", in: folder).errors.map(\.message)
          == ["is not a binary; expected a Mach-O file, an ELF file, or an archive of them"])
      #expect(SearchResult("\(folder)/empty", in: folder).errors.map(\.message) == ["is empty"])
      #expect(
        SearchResult("\(folder)/none", in: folder).errors.map(\.message)
          == ["cannot be opened: No such file or directory"])
      let all = SearchResult(folder, in: folder)
      #expect(all.found == ["a"] && all.errors.isEmpty)
      #expect(!SearchResult("/dev/null", in: folder).errors.isEmpty)
    }
  }

  @Test("a file for another architecture is an error that names its architecture")
  func architecture() throws {
    try BuiltELF.inFolder { folder in
      var arm = HandmadeELF()
      arm.put(18, 183, 2)
      try make(["a": binary, "b": Data(arm.bytes)], in: folder)
      let result = SearchResult(folder, in: folder, architecture: "arm64")
      #expect(result.found == ["b"] && result.architectures == ["aarch64"])
      #expect(
        result.errors == [
          InspectionError(
            file: "a", code: .architectureNotFound,
            message: "does not contain the architecture 'arm64', but only 'x86_64'")
        ])
    }
  }

  @Test("a file whose name is not valid text is an error, because it cannot be opened")
  func namelessFile() throws {
    try BuiltELF.inFolder { folder in
      try make(["app/a": binary, "app/z": binary], in: folder)
      // The file systems of Apple reject such names.
      guard
        rename("\(folder)/app/a", Array(folder.utf8CString.dropLast()) + [0x2f, 0x61, 0x70, 0x70, 0x2f, -1, 0]) == 0
      else { return }
      let result = SearchResult("\(folder)/app", in: folder)
      #expect(result.found == ["app/z"])
      #expect(result.errors.count == 1 && result.errors[0].message.hasPrefix("cannot be opened: "), "\(result.errors)")
    }
  }

  @Test("a damaged binary in a folder is an error, and the others are listed")
  func damaged() throws {
    try BuiltELF.inFolder { folder in
      try make(["a": binary.prefix(100), "b": binary], in: folder)
      let result = SearchResult(folder, in: folder)
      #expect(result.found == ["b"])
      #expect(result.errors.map(\.file) == ["a"])
    }
  }

  @Test("a folder that disappears during the search is an error")
  func gone() {
    var errors: [InspectionError] = []
    FolderSearch(files: BinaryFinder()).search("/nowhere") { finding in
      if case .failed(let error) = finding { errors.append(error) }
    }
    #expect(errors.map(\.file) == ["/nowhere"])
    #expect(errors[0].message.hasPrefix("the folder cannot be read: "))
  }
}
