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

  @Test("the binaries of an app, its frameworks, and its plug-ins are found in the order of their paths")
  func app() throws {
    try BuiltELF.inFolder { folder in
      try make(
        [
          "Shop.app/Info.plist": Data("bplist00".utf8), "Shop.app/Shop": binary,
          "Shop.app/Assets.car": Data("text".utf8), "Shop.app/A.dylib": binary, "Shop.app/empty": Data(),
          "Shop.app/Frameworks/Cart.framework/Cart": binary, "Shop.app/Frameworks/libswift.dylib": binary,
          "Shop.app/PlugIns/Today.appex/Today": binary, "Shop.app/PlugIns/Today.appex/A": binary,
          "Shop.app/Shop.dSYM/Contents/Resources/DWARF/Shop": binary,
        ], in: folder)
      let result = SearchResult("\(folder)/Shop.app/", in: folder)
      #expect(
        result.found == [
          "Shop.app/A.dylib", "Shop.app/Frameworks/Cart.framework/Cart", "Shop.app/Frameworks/libswift.dylib",
          "Shop.app/PlugIns/Today.appex/A", "Shop.app/PlugIns/Today.appex/Today", "Shop.app/Shop",
        ])
      #expect(result.errors.isEmpty && result.notes.isEmpty)
    }
  }

  @Test("binaries of a macOS app and framework are found once, although links also lead to them")
  func macOS() throws {
    try BuiltELF.inFolder { folder in
      let framework = "Shop.app/Contents/Frameworks/Cart.framework"
      try make(
        [
          "Shop.app/Contents/MacOS/Shop": binary, "Shop.app/Contents/MacOS/helper": binary,
          "\(framework)/Versions/A/Cart": binary,
          "\(framework)/Versions/A/Resources/Info.plist": Data("text".utf8),
        ], in: folder)
      for (link, target) in [
        ("Versions/Current", "A"), ("Cart", "Versions/Current/Cart"), ("Resources", "Versions/Current/Resources"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/\(framework)/\(link)", withDestinationPath: target)
      }
      let result = SearchResult("\(folder)/Shop.app", in: folder)
      #expect(
        result.found == [
          "\(framework)/Versions/A/Cart", "Shop.app/Contents/MacOS/Shop", "Shop.app/Contents/MacOS/helper",
        ])
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
      #expect(SearchResult("\(folder)/in", in: folder).found == ["in/a", "in/same"])
      // Both names belong to one file, which is read once.
      #expect(Inspection(of: ["\(folder)/in"]).images.map(\.path) == ["\(folder)/in/a"])
      // A symbolic link that the caller names is followed.
      #expect(SearchResult("\(folder)/in/b", in: folder).found == ["in/b"])
    }
  }

  @Test("frameworks that are archives")
  func frameworks() throws {
    try BuiltELF.inFolder { folder in
      let name = "a.o/".padding(toLength: 48, withPad: " ", startingAt: 0)
      var archive = Data("!<arch>\n\(name)768       `\n".utf8)
      archive += binary
      try make(
        [
          "Cart.xcframework/Info.plist": Data("text".utf8),
          "Cart.xcframework/ios-arm64/Cart.framework/Cart": archive,
          "Cart.xcframework/ios-arm64/Cart.framework/Headers/Cart.h": Data("x".utf8),
          "Cart.xcframework/linux/libcart.a": archive,
        ], in: folder)
      let result = SearchResult("\(folder)/Cart.xcframework", in: folder)
      #expect(
        result.found == [
          "Cart.xcframework/ios-arm64/Cart.framework/Cart(a.o)", "Cart.xcframework/linux/libcart.a(a.o)",
        ])
      #expect(result.errors.isEmpty && result.notes.isEmpty)
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
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      #expect(SearchResult("\(folder)/pipe", in: folder).errors.map(\.message) == ["is not a regular file"])
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
          InspectionProblem(
            file: "a", code: .architectureNotFound,
            text: "does not contain the architecture 'arm64', but only 'x86_64'")
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
    var errors: [InspectionProblem] = []
    BinaryFinder().folder("/nowhere") { finding in
      if case .problem(let error, _) = finding { errors.append(error) }
    }
    #expect(errors.map(\.file) == ["/nowhere"])
    #expect(errors[0].message.hasPrefix("the folder cannot be read: "))
  }
}
