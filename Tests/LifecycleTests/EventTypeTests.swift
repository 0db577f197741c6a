import Foundation
@testable import Registry
@testable import RegistryC
import TestSupport
import Testing

@testable import Lifecycle

extension ExportedModuleTests {
  @Test func `copies of an event's types in two images are distinguished, and the message has the fix`() throws {
    let objects = try ["payload_a", "payload_b"].map {
      try SharedObject("", name: $0, swift: "public struct Payload {}", module: "Twin")
    }
    let types: [Any.Type] = try objects.map { object in
      try object.open()
      let handle = try #require(dlopen(object.path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE))
      // This symbol is the type metadata, which a metatype points to.
      return unsafeBitCast(try #require(dlsym(handle, "$s4Twin7PayloadVN")), to: Any.Type.self)
    }
    let slot = EventHandlers(id: "twin", payload: types[0], outcome: Void.self)
    #expect(slot.matches(types[0], Void.self) && !slot.matches(types[1], Void.self))
    #expect(!slot.matches(types[0], Int.self))
    #expect(slot.hint(types[1], Void.self).contains("two images contain copies") && slot.types == "Twin.Payload → ()")
    #expect(slot.hint(Int.self, Void.self).isEmpty)
  }

  @Test func `numbers in the location of a handler are ordered as numbers`() {
    let places = ["B.swift:9:1", "A.swift:12:1", "A.swift:9:12", "A.swift:9:2", "A1.swift:1:1", "A.swift:9"]
    let ordered = places.sorted { $0.naturalOrderKey < $1.naturalOrderKey }
    #expect(ordered == ["A.swift:9", "A.swift:9:2", "A.swift:9:12", "A.swift:12:1", "A1.swift:1:1", "B.swift:9:1"])
    #expect("a9b10c".naturalOrderKey == "a0000000009b0000000010c\0a9b10c")
    #expect("12345678901".naturalOrderKey == "12345678901\012345678901" && "é".naturalOrderKey == "é\0é")
  }

  @Test func `an event that was delivered once is found by the address of its identifier`() throws {
    let event = Event<Void, Void>("test.byAddress")
    let manager = ModuleManager()
    manager.on(event) { _ in }
    try manager.start()
    manager.trigger(event)
    #expect(registry_find(manager.dispatcher.index.byAddress, event.id.utf8Start) != nil)
  }

  @Test func `an accessor that serves nothing, or another type than announced, creates no module`() {
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
