import Foundation
import Registry
import TestSupport
import Testing

@testable import Lifecycle

extension ExportedModuleTests {
  @Test func `types of an event that two images have a copy of are told apart, and the way out is said`() throws {
    let objects = try ["payload_a", "payload_b"].map {
      try SharedObject("", name: $0, swift: "public struct Payload {}", module: "Twin")
    }
    let types: [Any.Type] = try objects.map { object in
      try object.open()
      let handle = try #require(dlopen(object.path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE))
      // The type's metadata, which is what a metatype points to.
      return unsafeBitCast(try #require(dlsym(handle, "$s4Twin7PayloadVN")), to: Any.Type.self)
    }
    let slot = EventSlot(id: "twin", payload: types[0], outcome: Void.self)
    #expect(slot.carries(types[0], Void.self) && !slot.carries(types[1], Void.self))
    #expect(!slot.carries(types[0], Int.self))
    #expect(slot.hint(types[1], Void.self).contains("two images have a copy") && slot.types == "Twin.Payload → ()")
    #expect(slot.hint(Int.self, Void.self).isEmpty)
  }

  @Test func `an accessor that gives nothing, or not what it said, makes no module`() {
    let nothing: RecordAccessor = { _, _, _ in false }
    let liar: RecordAccessor = { out, type, _ in
      guard type == nil else { return false }
      out?.storeBytes(of: unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
      return true
    }
    let idler: RecordAccessor = { out, type, _ in
      guard type == nil else { return true }
      out?.storeBytes(of: unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
      return true
    }
    let problems = [nothing, liar, idler].map { accessor in
      let attributes = ModuleAttributes(module: "Odd.Module", level: .normal, priority: 0, after: [])
      return ModuleEntry(attributes: attributes, image: nil, source: .accessor(accessor)).resolve()
    }
    #expect(problems.map(\.?.code) == [.unavailable, .accessorRefused, .accessorRefused])
    #expect(
      problems.map(\.?.severity) == [.warning, .error, .error] && problems.allSatisfy { $0?.subject == "Odd.Module" })
  }
}
