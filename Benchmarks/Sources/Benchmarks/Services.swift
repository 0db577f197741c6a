import Elsewhere
import Measuring
import Registry

protocol Digit: SendableMetatype {}
enum D0: Digit {}
enum D1: Digit {}
enum D2: Digit {}
enum D3: Digit {}
enum D4: Digit {}
enum D5: Digit {}
enum D6: Digit {}
enum D7: Digit {}
enum D8: Digit {}
enum D9: Digit {}
let digits: [any Digit.Type] = [
  D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
]

/// A thousand types, to be services.
struct Numbered<A: Digit, B: Digit, C: Digit>: Sendable { let value = 1 }

func registerNumbered(_ manager: ServiceManager, _ count: Int) throws {
  func register<A: Digit, B: Digit, C: Digit>(_: A.Type, _: B.Type, _: C.Type) throws {
    manager.register(Numbered<A, B, C>.self, scope: .shared) { Numbered<A, B, C>() }
    _ = try manager.createService(for: Numbered<A, B, C>.self)
  }
  for index in 0..<count {
    let (a, b, c): (any Digit.Type, any Digit.Type, any Digit.Type) = (
      digits[index / 100], digits[index / 10 % 10], digits[index % 10]
    )
    try register(a, b, c)
  }
}

@inline(never) func lookUp(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Adder).self).add(sum) }
  return sum
}

@inline(never) func readConstant(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = adder.add(sum) }
  return sum
}

@MainActor @inline(never) func lookUpOnMain(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Adder).self).add(sum) }
  return sum
}

@MainActor @inline(never) func readConstantOnMain(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = adder.add(sum) }
  return sum
}

@MainActor func services(_ effort: Effort) throws -> [Comparison] {
  try registerNumbered(.shared, 1_000)
  ServiceManager.shared.register((any Adder).self, scope: .shared) { StepAdder(3) }
  ServiceManager.shared.register((any Letter).self) { SmallParcel() }
  var results: [Comparison] = []
  results.append(
    try effort.compare("service.shared", goal: 1.3, checksum: { 3 * $0 }, ours: lookUp, baseline: readConstant))
  results.append(
    try effort.compare(
      "service.shared.main", goal: 1.3, checksum: { 3 * $0 }, ours: { try lookUpOnMain($0) },
      baseline: { readConstantOnMain($0) }))
  let table: [ObjectIdentifier: any Adder] = {
    var t: [ObjectIdentifier: any Adder] = [:]
    for i in 0..<999 { t[ObjectIdentifier(digits[i % 10])] = adder; _ = i }
    t[ObjectIdentifier((any Adder).self)] = adder
    return t
  }()
  results.append(
    try effort.compare(
      "service.shared.dictionary", goal: 0.5, checksum: { 3 * $0 }, ours: lookUp,
      baseline: { count in
        var sum = 0
        for _ in 0..<count { sum = table[ObjectIdentifier((any Adder).self)]!.add(sum) }
        return sum
      }))
  results.append(
    try effort.compare(
      "service.transient", goal: 2, checksum: { 3 * $0 },
      ours: { count in
        var sum = 0
        for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Parcel).self).weight(sum) }
        return sum
      },
      baseline: { count in
        var sum = 0
        for _ in 0..<count {
          let p: any Parcel = SmallParcel()
          sum = p.weight(sum)
        }
        return sum
      }))
  results.append(
    try effort.compare(
      "service.transient.registered", checksum: { 3 * $0 },
      ours: { count in
        var sum = 0
        for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Letter).self).weight(sum) }
        return sum
      },
      baseline: { count in
        var sum = 0
        for _ in 0..<count {
          let p: any Letter = SmallParcel()
          sum = p.weight(sum)
        }
        return sum
      }))
  return results
}
