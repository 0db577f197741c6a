import Elsewhere
import Registry

// The loops that are measured. Not inlined into what measures them, so that they are what the compiler makes of a look-up
// in a user's function. It looks the type's metadata up once for a loop, and the constant's address likewise.

@inline(never) func lookUpShared(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Adder).self).add(sum) }
  return sum
}

@inline(never) func lookUpOther(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any OtherAdder).self).add(sum) }
  return sum
}

@MainActor @inline(never) func lookUpSharedOnMain(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Adder).self).add(sum) }
  return sum
}

@inline(never) func lookUp(_ count: Int, in manager: ServiceManager) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try manager.createService(for: (any Adder).self).add(sum) }
  return sum
}

@inline(never) func readConstant(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = adder.add(sum) }
  return sum
}

@MainActor @inline(never) func readConstantOnMain(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = adder.add(sum) }
  return sum
}

/// A constant of this module. The compiler sees that nobody changes it, and reads it without counting references.
private let ownAdder: any Adder = [StepAdder() as any Adder][0]

@inline(never) func readOwnConstant(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = ownAdder.add(sum) }
  return sum
}

// One operation in a function of its own: with the metadata's and the constant's accessor each time.

@inline(never) private func lookUpOnce(_ value: Int) throws -> Int {
  try ServiceManager.shared.createService(for: (any Adder).self).add(value)
}

@inline(never) private func readConstantOnce(_ value: Int) -> Int { adder.add(value) }

@inline(never) func lookUpSingly(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try lookUpOnce(sum) }
  return sum
}

@inline(never) func readConstantSingly(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = readConstantOnce(sum) }
  return sum
}

@inline(never) func lookUpTransient(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Parcel).self).weight(sum) }
  return sum
}

@inline(never) func lookUpRegistered(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Letter).self).weight(sum) }
  return sum
}

/// An initializer's call by somebody else, so that the instance is one on the heap: where the optimizer sees that it does not outlive
/// a turn of the loop, it puts it on the stack, which no program that hands it on can.
@inline(never) private func makeParcel() -> any Parcel { SmallParcel() }

@inline(never) func makeParcels(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = makeParcel().weight(sum) }
  return sum
}
