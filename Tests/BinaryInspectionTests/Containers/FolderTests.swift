import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Apps, frameworks and other folders.
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

  @Test("an app's executable comes first, then its frameworks, its plug-ins and what else is a binary")
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

  @Test("an app and a framework of macOS have their binaries in folders and behind links, each told once")
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

  @Test("links lead neither out of a folder nor around in it")
  func links() throws {
    try BuiltELF.inFolder { folder in
      try make(["in/a": binary, "out/b": binary], in: folder)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/in/loop", withDestinationPath: ".")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/in/out", withDestinationPath: "../out")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/in/b", withDestinationPath: "../out/b")
      try FileManager.default.linkItem(atPath: "\(folder)/in/a", toPath: "\(folder)/in/same")
      #expect(SearchResult("\(folder)/in", in: folder).found == ["in/a"])
      // What was named is followed.
      #expect(SearchResult("\(folder)/in/b", in: folder).found == ["in/b"])
    }
  }

  @Test("a bundle without the executable that it says is an error that names it")
  func missingExecutable() throws {
    try BuiltELF.inFolder { folder in
      try make(["A.app/Info.plist": plist(["CFBundleExecutable": "Shop"]), "A.app/other": binary], in: folder)
      try make(["outside": binary], in: folder)
      var result = SearchResult("\(folder)/A.app", in: folder)
      #expect(result.found == ["A.app/other"])
      #expect(result.errors.map(\.file) == ["A.app"])
      #expect(result.errors.first?.message.hasPrefix("its executable \"Shop\" (CFBundleExecutable in ") == true)

      try FileManager.default.createSymbolicLink(atPath: "\(folder)/A.app/Shop", withDestinationPath: "../outside")
      result = SearchResult("\(folder)/A.app", in: folder)
      #expect(result.errors.count == 1 && result.found == ["A.app/other"])

      try make(["A.app/Info.plist": plist(["CFBundleExecutable": "../outside"])], in: folder)
      result = SearchResult("\(folder)/A.app", in: folder)
      #expect(result.errors.map(\.message) == ["CFBundleExecutable is \"../outside\", which is no file's name"])
    }
  }

  @Test("an executable that is no binary is an error, as it was named")
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
    let cases: [(Data, String)] = [
      (Data("{".utf8), "is no property list that can be read"), (Data(), "is no property list that can be read"),
      (
        Data((head + nested + "</plist>").utf8),
        "has more than 4096 arrays and dictionaries, more than an Info.plist can need"
      ),
      (Data((head + "<array/></plist>").utf8), "is no dictionary"),
      (Data(count: 5 << 20), "has 5242880 bytes, more than an Info.plist can need"),
      (
        Data((head + "<dict><key>CFBundleExecutable</key><true/></dict></plist>").utf8),
        "CFBundleExecutable is no string"
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

  /// A binary property list of these objects, the first of which is the outermost.
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

  @Test("a binary property list that would unfold without end costs nothing, and one that is damaged is an error")
  func hostileBinaryLists() throws {
    let key: [UInt8] = [0x5f, 0x10, 18] + Array("CFBundleExecutable".utf8)
    let wide: [UInt8] = [0x61, 0x00, 0x41]
    // A dictionary with the executable and with forty arrays, each of which names the next one twice.
    let other: [UInt8] = [0x51, 0x42]
    let first: [[UInt8]] = [[0xd2, 3, 1, 4, 2], key, wide, other]
    let arrays: [[UInt8]] = (5..<45).map { (next: UInt8) -> [UInt8] in [0xa2, next, next] }
    let last: [[UInt8]] = [[0x08]]
    let bomb = binaryList(first + arrays + last)
    let cases: [(Data, String?)] = [
      (bomb, nil), (binaryList([[0xa1, 0]]), "is no dictionary"),
      (binaryList([[0xd1, 1, 0], key]), "CFBundleExecutable is no string"),
      (binaryList([[0xd1, 9, 0]]), "is no property list that can be read"),
      (
        binaryList([[0xdf, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]),
        "is no property list that can be read"
      ), (bomb.prefix(30), "is no property list that can be read"),
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

  @Test("what is named and is no binary is an error; in folders it is passed over")
  func noBinary() throws {
    try BuiltELF.inFolder { folder in
      try make(["libc.so": Data("/* GNU ld script */".utf8), "empty": Data(), "a": binary], in: folder)
      #expect(
        SearchResult("\(folder)/libc.so", in: folder).errors.map(\.message)
          == ["is no binary: neither Mach-O nor ELF nor an archive of them"])
      #expect(SearchResult("\(folder)/empty", in: folder).errors.map(\.message) == ["is empty"])
      #expect(
        SearchResult("\(folder)/none", in: folder).errors.map(\.message)
          == ["cannot be opened: No such file or directory"])
      let all = SearchResult(folder, in: folder)
      #expect(all.found == ["a"] && all.errors.isEmpty)
      #expect(!SearchResult("/dev/null", in: folder).errors.isEmpty)
    }
  }

  @Test("a file that is not for the architecture is an error that says what it is for")
  func architecture() throws {
    try BuiltELF.inFolder { folder in
      var arm = HandmadeELF()
      arm.put(18, 183, 2)
      try make(["a": binary, "b": Data(arm.bytes)], in: folder)
      let result = SearchResult(folder, in: folder, architecture: "arm64")
      #expect(result.found == ["b"] && result.architectures == ["aarch64"])
      #expect(result.errors == [InspectionError(file: "a", message: "has nothing for arm64; it is for x86_64")])
    }
  }

  @Test("a file whose name is no text is an error, as it cannot be opened by what it is called")
  func namelessFile() throws {
    try BuiltELF.inFolder { folder in
      try make(["app/a": binary, "app/z": binary], in: folder)
      // Apple's file systems refuse such names.
      guard
        rename("\(folder)/app/a", Array(folder.utf8CString.dropLast()) + [0x2f, 0x61, 0x70, 0x70, 0x2f, -1, 0]) == 0
      else { return }
      let result = SearchResult("\(folder)/app", in: folder)
      #expect(result.found == ["app/z"])
      #expect(result.errors.count == 1 && result.errors[0].message.hasPrefix("cannot be opened: "), "\(result.errors)")
    }
  }

  @Test("a damaged binary in a folder is an error, and the others are told")
  func damaged() throws {
    try BuiltELF.inFolder { folder in
      try make(["a": binary.prefix(100), "b": binary], in: folder)
      let result = SearchResult(folder, in: folder)
      #expect(result.found == ["b"])
      #expect(result.errors.map(\.file) == ["a"])
    }
  }

  @Test("a folder that is gone when its turn comes is an error")
  func gone() {
    var errors: [InspectionError] = []
    FolderSearch(files: BinaryFinder()).search("/nowhere") { finding in
      if case .failed(let error) = finding { errors.append(error) }
    }
    #expect(errors.map(\.file) == ["/nowhere"])
    #expect(errors[0].message.hasPrefix("the folder cannot be read: "))
  }
}
