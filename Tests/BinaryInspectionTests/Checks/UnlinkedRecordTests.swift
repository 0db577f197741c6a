import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// Records of objects that a linker omitted.
@MainActor @Suite struct UnlinkedRecordTests {
  private let linked = TestRecord.module(#"{"module":"App.M"}"#)
  private let omitted = TestRecord.module(#"{"module":"Cart.M","at":"Cart/M.swift:3:1"}"#, accessor: true)

  private func inspection(
    _ app: [TestRecord], _ archive: [TestRecord], format: ImageHeader.Format = .elf, member: String? = "Cart.o"
  ) -> Inspection {
    SimulatedObject.inspection(
      [
        .with(app, path: "App", format: format, type: .executable),
        .with(archive, path: member == nil ? "Cart.o" : "libCart.a", format: format, type: .object),
      ], members: [nil, member])
  }

  private func text(_ fix: String) -> String {
    "error: modu Cart.M (Cart/M.swift:3:1): the object contains this record, but no linked file does; \(fix), or, if it"
      + " belongs to another process, do not pass it together with these files [missing]"
  }

  @Test func `a record of an archive that the executable lacks is a problem`() {
    let elf = inspection([linked], [omitted]).check()
    #expect(
      elf.map(\.description) == [
        "libCart.a: "
          + text(
            "the linker omits a member of an archive that nothing refers to, so link the archive with"
              + " '-Wl,--whole-archive libCart.a -Wl,--no-whole-archive'")
      ])
    let machO = inspection([linked], [omitted], format: .machO).check()
    #expect(machO.count == 1 && machO[0].description.contains("'-Wl,-force_load,libCart.a'"))
    // A folder of a build also contains objects of other products.
    let object = inspection([linked], [omitted], member: nil).check()
    #expect(object.map(\.severity) == [.note] && object[0].description.contains("; link the object, or,"))
  }

  @Test func `an executable with all records of an archive has no problem`() {
    // A record can be compiled again, and a need that is absent fails nothing.
    let moved = TestRecord.module(#"{"module":"Cart.M","at":"Cart/M.swift:4:1"}"#, accessor: true)
    let need = TestRecord.need(#"{"protocol":"P","optional":true}"#)
    #expect(inspection([linked, moved], [omitted, linked, need]).check(for: .problem) == [])
    // Without a linked file, or without an object, nothing can be compared.
    let archives = [
      SimulatedObject.with([linked], path: "a", type: .object), .with([omitted], path: "b", type: .object),
    ]
    #expect(SimulatedObject.inspection(archives).check() == [])
  }

  @Test func `an archive can belong to another process with --separate`() {
    let found = inspection([linked], [omitted]).check(librariesAreSeparate: true)
    #expect(found.map(\.severity) == [.note] && found.map(\.code) == [.missing])
  }
}
