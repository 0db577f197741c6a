import Elsewhere
import Registry

// The measured loops. They aren't inlined, so that the compiler generates the same code as for a
// lookup in a user's function. That code loads the type's metadata and the constant's address once
// per loop.

@inline(never) func lookUpShared(_ count: Int) throws -> Int {
  var sum = 0
  for _ in 0..<count { sum = try ServiceManager.shared.createService(for: (any Adder).self).add(sum) }
  return sum
}

/// A structure whose property looks up the same service.
struct Injected {
  @Service var adder: any Adder
}

@inline(never) func readInjected(_ count: Int) throws -> Int {
  let injected = Injected()
  var sum = 0
  for _ in 0..<count { sum = injected.adder.add(sum) }
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

/// A constant of this module.
///
/// The compiler reads it without counting references, because it sees that the constant never
/// changes.
private let ownAdder: any Adder = [StepAdder() as any Adder][0]

@inline(never) func readOwnConstant(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = ownAdder.add(sum) }
  return sum
}

// Functions with a single operation, which call the accessors of the metadata and the constant each
// time.

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

/// Creates an instance on the heap.
///
/// If the optimizer sees that an instance doesn't outlive an iteration of the loop, it creates the
/// instance on the stack. It can't do that in a program that passes the instance to other code.
@inline(never) private func makeParcel() -> any Parcel { SmallParcel() }

@inline(never) func makeParcels(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = makeParcel().weight(sum) }
  return sum
}
