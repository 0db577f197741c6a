import Manifests
import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

/// Manifests in the formats of BeeHive and Ant.
@MainActor struct OthersManifestTests {
  let listing = Listing()
  private var manager: ModuleManager { listing.manager }

  private func list(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(body)
    </plist>
    """
  }

  private func module(_ name: String, _ level: String, _ priority: String) -> String {
    """
    <dict><key>moduleClass</key><string>\(name)</string><key>moduleLevel</key>\(level)
    <key>modulePriority</key>\(priority)</dict>
    """
  }

  @Test func `a list of BeeHive modules is read, also with numbers in strings`() throws {
    let text = list(
      "<dict><key>URLGlobalScheme</key><string>com.example.shop</string><key>moduleClasses</key><array>"
        + module("FirstModule", "<integer>1</integer>", "<string>599</string>")
        + module("ManifestsTests.SecondModule", "<integer>1</integer>", "<string>600</string>")
        + module("ThirdModule", "<integer>0</integer>", "<integer>1</integer>") + "</array></dict>")
    let report = manager.load(try Manifest(text, "BeeHive.plist"), searching: ["Elsewhere", "ManifestsTests"])
    try manager.start()
    #expect(report.problems.isEmpty && report.modules.count == 3)
    #expect(listing.trace.lines == ["third", "second", "first in EUR"])
    manager.stop()
  }

  @Test func `a BeeHive module without a level is sorted as one with the level 0`() throws {
    let unmarked = "<dict><key>moduleClass</key><string>ThirdModule</string></dict>"
    let text = list(
      "<dict><key>moduleClasses</key><array>" + module("FirstModule", "<integer>1</integer>", "<integer>9</integer>")
        + unmarked + module("SecondModule", "<integer>0</integer>", "<integer>1</integer>") + "</array></dict>")
    let manifest = try Manifest(text, "BeeHive.plist")
    #expect(manifest.problems.isEmpty)
    let report = manager.load(manifest, searching: ["ManifestsTests"])
    #expect(report.problems.isEmpty)
    try manager.start()
    #expect(listing.trace.lines == ["second", "third", "first in EUR"])
    manager.stop()
  }

  @Test func `a list of BeeHive services is read`() throws {
    let text = list(
      "<array><dict><key>service</key><string>Till</string><key>impl</key><string>GoldTill</string></dict></array>")
    let report = manager.load(try Manifest(text, "BHService.plist"), searching: ["ManifestsTests"])
    #expect(report.problems.isEmpty && report.services.count == 1)
    #expect(try manager.context.services.createService(for: Till.self).name == "gold")
  }

  @Test func `Ant's modules are found among the other keys of a property list`() throws {
    let text = list(
      "<dict><key>CFBundleName</key><string>Shop</string><key>LSRequiresIPhoneOS</key><true/><key>Modules</key>"
        + "<array><string>FirstModule</string><string>ManifestsTests.SecondModule</string></array></dict>")
    let report = manager.load(try Manifest(text, "Info.plist"), searching: ["ManifestsTests"])
    #expect(report.problems.isEmpty)
    #expect(report.modules == ["ManifestsTests.FirstModule", "ManifestsTests.SecondModule"])
  }

  @Test func `names in 'after' are searched for in the same Swift modules`() throws {
    let text = #"{"modules": [{"module": "FirstModule", "after": ["SecondModule"]}, {"module": "SecondModule"}]}"#
    _ = manager.load(try Manifest(text, "shop.json"), searching: ["Elsewhere", "ManifestsTests"])
    try manager.start()
    #expect(manager.moduleNames == ["ManifestsTests.SecondModule", "ManifestsTests.FirstModule"])
    #expect(listing.problems.diagnostics.isEmpty)
    manager.stop()
  }

  @Test func `a problem in such a list is named by its key`() throws {
    let text = list(
      "<dict><key>moduleClasses</key><array>" + module("FirstModule", "<integer>2</integer>", "<string>much</string>")
        + module("Gone.Module", "<integer>1</integer>", "<real>2</real>") + "</array><key>Modules</key><array><true/>"
        + "<string>Nowhere</string></array></dict>")
    let report = manager.load(try Manifest(text, "BeeHive.plist"))
    #expect(
      report.problems.map { "\($0.location): \($0.message.split(separator: ";")[0])" } == [
        "moduleClasses[0].moduleLevel: expected 0 (basic) or 1 (normal), but found the integer 2",
        "moduleClasses[0].modulePriority: expected a 64-bit integer such as '10' or '-5', but found the string \"much\"",
        "Modules[0]: expected a name such as '\"Cart.CartModule\"', but found true",
        "moduleClasses[1].moduleClass: no loaded image contains a class named 'Gone.Module'",
        "Modules[1]: no loaded image contains a class named 'Nowhere'",
      ])
    #expect(report.modules.isEmpty)
  }

  @Test func `objects in a list with Ant's key are told the key in lowercase`() throws {
    let report = manager.load(try Manifest(#"{"Modules": [{"module": "Cart.CartModule"}]}"#, "modules.json"))
    let problem = try #require(report.problems.first)
    #expect(problem.message.hasSuffix("; write the key 'Modules' as 'modules' for a list of objects"), "\(problem)")
  }
}
