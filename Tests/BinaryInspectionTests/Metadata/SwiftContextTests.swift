import Testing

@testable import BinaryInspection

@Suite struct SwiftContextTests {
  private let extensionKind: UInt8 = 1
  private let anonymous: UInt8 = 2
  private let protocolKind: UInt8 = 3
  private let type: UInt8 = 16
  private let structure: UInt8 = 17
  private let enumeration: UInt8 = 18

  private func types(_ builder: MetadataBuilder, list: Int) throws -> Set<String>? {
    try MetadataReader.names(of: .type, in: MetadataObject(builder, section: "swift5_type_metadata", list: 4 * list))
  }

  private func error(_ builder: MetadataBuilder, list: Int = 1) -> InspectionProblem? {
    do {
      _ = try types(builder, list: list)
      return nil
    } catch {
      return error as? InspectionProblem
    }
  }

  @Test("a type has the path of its contexts, however it is referenced")
  func paths() throws {
    var builder = MetadataBuilder(list: 6)
    let module = builder.module("Cart")
    let outer = builder.context(structure, parent: module, name: "Outer")
    let inner = builder.context(type, parent: outer, name: "Inner")
    let hidden = builder.context(enumeration, parent: builder.context(anonymous, parent: outer), name: "Hidden")
    // These references to a type and to a parent lead through pointers.
    let place = builder.pointer(.address(UInt64(outer)))
    let through = builder.context(type, parent: place | 1, name: "Through")
    let indirect = builder.pointer(.address(UInt64(through)))
    for (index, target) in [outer, inner, hidden, indirect | 1, 0].enumerated() where target != 0 {
      builder.put(target, at: 4 * index)
    }
    // The list refers to an Objective-C class, which the reader must skip.
    builder.put(outer | 2, at: 20)
    #expect(
      try types(builder, list: 6) == ["Cart.Outer", "Cart.Outer.Inner", "Cart.Outer.Hidden", "Cart.Outer.Through"])
    let machO = MetadataObject(builder, section: "__TEXT,__swift5_types", list: 24)
    #expect(try MetadataReader.names(of: .type, in: machO)?.count == 4)
    #expect(try MetadataReader.names(of: .protocol, in: machO) == [])
  }

  @Test("protocols have a list of their own")
  func protocols() throws {
    var builder = MetadataBuilder(list: 1)
    let module = builder.module("Cart")
    builder.put(builder.context(protocolKind, parent: module, name: "Priced"), at: 0)
    let object = MetadataObject(builder, section: "swift5_protocols", list: 4)
    #expect(try MetadataReader.names(of: .protocol, in: object) == ["Cart.Priced"])
    #expect(try MetadataReader.names(of: .type, in: object) == [])
  }

  @Test(
    "a type in an extension has the path of the extended type",
    arguments: [
      ("Sa", "Swift.Array.Inner"), ("10Foundation3URLV", "Foundation.URL.Inner"), ("SaySiG", "Swift.Array.Inner"),
    ])
  func extensions(_ mangled: String, _ path: String) throws {
    var builder = MetadataBuilder(list: 1)
    let module = builder.module("Cart")
    let context = builder.context(extensionKind, parent: module, name: mangled)
    builder.put(builder.context(type, parent: context, name: "Inner"), at: 0)
    #expect(try types(builder, list: 1) == [path])
  }

  @Test("the extended type can be a descriptor, in this image or in another one")
  func extensionsOfDescriptors() throws {
    for isHere in [true, false] {
      var builder = MetadataBuilder(list: 1)
      let module = builder.module("Cart")
      let outer = builder.context(structure, parent: module, name: "Outer")
      let pointer = builder.pointer(.symbol("_$s10Foundation3URLVMn", 0))
      let reference = builder.text((isHere ? "\u{1}" : "\u{2}") + "abcd")
      builder.put(isHere ? outer : pointer, at: reference + 1)
      let context = builder.context(extensionKind, parent: module)
      builder.put(reference, at: context + 8)
      builder.put(builder.context(type, parent: context, name: "Inner"), at: 0)
      #expect(try types(builder, list: 1) == [isHere ? "Cart.Outer.Inner" : "Foundation.URL.Inner"])
    }
  }

  @Test("a name that cannot be determined is omitted")
  func unknown() throws {
    for parent in [Pointer.symbol("_$s4Cart3runyyF5LocalL_VMn", 0), .symbol("$s4Cart5OuterVMn", 8), .null] {
      var builder = MetadataBuilder(list: 2)
      let module = builder.module("Cart")
      builder.put(builder.context(type, parent: module, name: "Known"), at: 0)
      let pointer = builder.pointer(parent)
      builder.put(builder.context(type, parent: pointer | 1, name: "Inner"), at: 4)
      #expect(try types(builder, list: 2) == nil)
      #expect(try types(builder, list: 1) == ["Cart.Known"])
      // Encrypted contents are not read.
      let encrypted = MetadataObject(builder, section: "__TEXT,__swift5_types", list: 4, isEncrypted: true)
      #expect(try MetadataReader.names(of: .type, in: encrypted) == nil)
    }
  }

  @Test("contexts that are their own parents are an error, and so are too many")
  func loops() throws {
    var builder = MetadataBuilder(list: 1)
    let first = builder.context(type, name: "First")
    let second = builder.context(type, parent: first, name: "Second")
    builder.put(second, at: first + 4)
    builder.put(second, at: 0)
    #expect(
      error(builder)?.message == "the contexts of a Swift type are nested more than 100 levels deep, or form a cycle")
    #expect(error(builder)?.offset != nil)

    for depth in [99, 101] {
      var builder = MetadataBuilder(list: 1)
      var context = builder.module("M")
      for _ in 0..<depth { context = builder.context(structure, parent: context, name: "S") }
      builder.put(context, at: 0)
      #expect((error(builder) == nil) == (depth == 99))
    }
  }

  @Test("names that share their bytes take no more than the file has")
  func overlaps() throws {
    let count = 60
    var builder = MetadataBuilder(list: count)
    let module = builder.module("Cart")
    let name = builder.text(String(repeating: "n", count: 4_000))
    for index in 0..<count {
      let context = builder.context(type, parent: module)
      builder.put(name + index, at: context + 8)
      builder.put(context, at: 4 * index)
    }
    #expect(
      error(builder, list: count)?.message
        == "the names of its types and their symbols are together longer than the size of the file allows")
  }

  @Test("many pointers to one symbol with a long name take no more time than the file warrants")
  func longSymbols() {
    let count = 400
    var builder = MetadataBuilder(list: count)
    for index in 0..<count {
      let pointer = builder.pointer(.symbol(String(repeating: "n", count: 4_095), 0))
      builder.put(pointer + 1, at: 4 * index)
    }
    #expect(
      error(builder, list: count)?.message
        == "the names of its types and their symbols are together longer than the size of the file allows")
  }

  @Test("a descriptor of an unknown kind and a malformed list are errors with their offsets")
  func malformed() throws {
    var builder = MetadataBuilder(list: 1)
    let context = builder.context(9, name: "What")
    builder.put(context, at: 0)
    #expect(error(builder)?.offset == UInt64(context))
    #expect(error(builder)?.message.hasSuffix("found the unknown kind 9") == true)
    let object = MetadataObject(builder, section: "swift5_type_metadata", list: 6)
    #expect(throws: InspectionProblem.self) { try MetadataReader.names(of: .type, in: object) }
    // The relative pointer leads out of the file.
    var outside = MetadataBuilder(list: 1)
    outside.put(4_000_000, at: 0)
    #expect(try types(outside, list: 1) == [])
    let machO = MetadataObject(outside, section: "__TEXT,__swift5_types", list: 4)
    let error = #expect(throws: InspectionProblem.self) { try MetadataReader.names(of: .type, in: machO) }
    #expect(error?.message.contains("is in no segment") == true)
  }

  @Test("an Objective-C class with parts outside the file makes the classes unknown")
  func incompleteClasses() throws {
    func classes(_ pointers: [Pointer], list: Int = 8) throws -> Set<String>? {
      var builder = MetadataBuilder(list: 0)
      for pointer in pointers { _ = builder.pointer(pointer) }
      return try MetadataReader.names(
        of: .objectiveCClass, in: MetadataObject(builder, section: "__DATA,__objc_classlist", list: list))
    }
    let type = [Pointer.address(16)] + [Pointer](repeating: .null, count: 5)
    #expect(try classes([.null]) == [])
    // The class belongs to another image, has no data, or has data without a name.
    #expect(try classes([.symbol("_OBJC_CLASS_$_X", 0)]) == nil)
    #expect(try classes(type) == nil)
    #expect(try classes(type + [.address(64)]) == nil)
    let error = #expect(throws: InspectionProblem.self) { try classes([.null], list: 4) }
    #expect(error?.message == "the section '__DATA,__objc_classlist' is not a list of pointers; it has 4 bytes")
    #expect(error?.offset == 0)
  }

  @Test("Swift protocols that are marked as @objc are in a list of Objective-C")
  func objectiveCProtocols() throws {
    func protocols(_ name: String) throws -> Set<String>? {
      var builder = MetadataBuilder(list: 0)
      for pointer in [.address(8), .null, .address(24)] as [Pointer] { _ = builder.pointer(pointer) }
      _ = builder.text(name)
      return try MetadataReader.names(
        of: .objectiveCProtocol, in: MetadataObject(builder, section: "__DATA,__objc_protolist", list: 8))
    }
    #expect(try protocols("_TtP4Cart5Clock_") == ["Cart.Clock"])
    #expect(try protocols("NSCopying") == [])
    // The form of these names is unknown, so the list is incomplete.
    #expect(try protocols("_TtP4Cart5Clock") == nil)
    #expect(try protocols("_TtP4Ca_") == nil)
    let error = #expect(throws: InspectionProblem.self) { try protocols("") }
    #expect(error?.message == "the name of an Objective-C protocol is empty")
    #expect(
      try MetadataReader.names(
        of: .objectiveCProtocol, in: MetadataObject(MetadataBuilder(list: 1), section: "swift5_protocols", list: 4))
        == [])
  }

  @Test("an error for an address outside all sections contains the address")
  func errorsOutside() {
    let object = MetadataObject(MetadataBuilder(list: 1), section: "swift5_type_metadata", list: 4)
    #expect(object.error(at: 0x10, "it").message == "it (at address 0x10)")
    #expect(object.error(at: 0x4000, "it") == InspectionProblem(file: "Metadata", offset: 0, text: "it"))
  }
}
