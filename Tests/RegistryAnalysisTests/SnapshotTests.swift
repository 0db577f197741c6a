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
}
