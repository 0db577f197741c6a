import Foundation
import RegistryAnalysis
import Testing

@Suite struct SnapshotTests {
  @Test func `A snapshot is the same after it was written and read`() throws {
    var process = RegistrySnapshot.Process(name: "Shop")
    process.images = [.init(name: "Shop", path: "build/Shop", records: 2)]
    process.modules = [
      .init(name: "Cart.CartModule", feature: "Cart", level: "normal", priority: 0, activation: "atLaunch")
    ]
    process.entries = [
      .init(kind: .service, key: "API.P", provider: "Cart.C", feature: "Cart", priority: 0, rank: 1)
    ]
    process.needs = [.init(kind: .service, key: "API.P", isOptional: true, dependent: "Cart.Screen", feature: "Cart")]
    let snapshot = RegistrySnapshot(
      origin: .files, processes: [process], problems: [.init(severity: "note", code: "tie", message: "m")])
    #expect(try RegistrySnapshot(json: snapshot.json()) == snapshot)
  }

  @Test(arguments: [
    ("tie", 0, ""), ("x]", 0, "problems[0].code: 'x]' is not a code"),
    ("x\n", 0, "problems[0].code: 'x\\u{a}' is not a code"), ("", 1_000_000_000, ""),
    ("tie", -1, "processes[0].images[0].records: -1 is no number of records"),
    ("tie", .max, "processes[0].images[0].records: 9223372036854775807 is no number of records"),
  ])
  func `Values that no writer writes are rejected`(code: String, records: Int, error: String) throws {
    var process = RegistrySnapshot.Process(name: "Shop")
    process.images = [.init(name: "Shop", path: "build/Shop", records: records)]
    let json = try RegistrySnapshot(
      origin: .files, processes: [process], problems: [.init(severity: "note", code: code, message: "m")]
    ).json()
    var found = ""
    do { _ = try RegistrySnapshot(json: json) } catch let problem { found = "\(problem)" }
    #expect(found == error)
  }
}
