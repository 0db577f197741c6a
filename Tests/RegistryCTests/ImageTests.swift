import Foundation
import RegistryC
import RegistryCTestSupport
import TestSupport
import Testing

/// A copy of an image of a snapshot.
private struct Image {
  var serial: UInt64
  var base: UInt
  var path: String
  var sections: Int
  var records: [(address: UInt, json: String)]
}

private struct Snapshot {
  var generation: UInt64
  var images: [Image]

  init(after: UInt64 = 0) throws {
    let snapshot = try #require(registry_images_snapshot(after))
    defer { registry_snapshot_free(snapshot) }
    generation = snapshot.pointee.generation
    images = UnsafeBufferPointer(start: snapshot.pointee.images, count: snapshot.pointee.image_count).map {
      image in
      let sections = UnsafeBufferPointer(start: image.sections, count: image.section_count)
      var records: [(UInt, String)] = []
      for section in sections {
        precondition(UInt(bitPattern: section.bytes) % 8 == 0)
        var walker = registry_walk(section.bytes, section.size, section.alignment)
        var item = registry_item()
        while true {
          let step = registry_walk_next(&walker, &item)
          if step == REGISTRY_STEP_END { break }
          guard step == REGISTRY_STEP_RECORD else { continue }
          records.append((section.address + UInt(item.offset), String(cString: item.json)))
        }
      }
      return Image(
        serial: image.serial, base: image.base, path: String(cString: image.path), sections: sections.count,
        records: records)
    }
  }

  /// Returns the image of a file.
  subscript(path: String) -> Image? { images.first { $0.path == path } }
}

/// A library that is compiled from one C file, and that a test opens and closes.
private struct Library {
  let path: String

  init(_ path: String, exports: String, flags: [String] = []) throws {
    self.path = path
    let source = "#include \"registry_export.h\"\n\(exports)\nint registry_test_address;\n"
    let clang = try #require(Compiler.clang)
    let result = try clang.run(
      ["-shared", "-fPIC", "-O1", "-I", include, "-x", "c", "-", "-o", path] + flags, input: source)
    try #require(result.status == 0, "\(result.output)")
  }

  /// Compiles a library that counts as one with Swift code, because it refers to the Swift runtime.
  static func withSwift(_ path: String) throws -> Library {
    try Library(
      path,
      exports: """
        extern void swift_addNewDSOImage(const void *);
        void *reference = (void *)swift_addNewDSOImage;
        REGISTRY_EXPORT_MODULE(Swift.One)
        """)
  }

  func open() throws -> UnsafeMutableRawPointer {
    try #require(dlopen(path, RTLD_NOW | RTLD_LOCAL), "\(String(cString: dlerror()))")
  }
}

@Suite(.serialized) struct `Loaded images` {
  @Test func `Each record from C, C++, and Objective-C is found once in this program, with valid JSON`()
    throws
  {
    let exported = [
      registry_test_exported_by_c(), registry_test_exported_by_cpp(), registry_test_exported_by_objective_c(),
    ]
    // Other suites open images with malformed records while this test runs, so leave those out.
    let own = try Snapshot().images.filter { $0.base == UInt(bitPattern: registry_test_base()) }
    let records = own.flatMap(\.records)
    #expect(Set(records.map(\.address)).count == records.count)
    var found: [String: [[String: Any]]] = [:]
    for record in records {
      let value = try JSONSerialization.jsonObject(with: Data(record.json.utf8))
      let object = try #require(value as? [String: Any], "\(record.json)")
      let name = (object["module"] ?? object["class"]) as? String ?? ""
      // The Objective-C names have no module.
      let key = name.hasPrefix("TestObjC") ? "TestObjC" : String(name.prefix { $0 != "." })
      found[key, default: []].append(object)
    }
    let counts = ["TestC", "TestCpp", "TestObjC"].map { found[$0]?.count ?? 0 }
    #expect(counts == exported.map { Int($0) })

    let full = try #require(found["TestC"]?.first { $0["module"] as? String == "TestC.Full" })
    #expect(full["level"] as? String == "basic")
    #expect(full["priority"] as? Int == -12)
    #expect(full["after"] as? [String] == ["TestC.Plain", "TestC.Lä"])
    let fake = try #require(found["TestC"]?.first { $0["class"] as? String == "TestC.FakeClock" })
    #expect(fake["protocol"] as? String == "TestC.Clock & Sendable")
    #expect(fake["name"] as? String == "big red")
    #expect(fake["scope"] as? String == "weak")
    #expect(fake["priority"] as? Int == 1000)
    #expect(found["TestC"]?.contains { $0["module"] as? String == "TestC.Größe.漢字" } == true)
    #expect(found["TestCpp"]?.contains { $0["module"] as? String == "TestCpp.InNamespace" } == true)
    let base = try #require(found["TestObjC"]?.first { $0["module"] as? String == "TestObjCBase" })
    #expect(base["level"] as? String == "basic" && base["priority"] as? Int == 5)
    #expect(base["after"] as? [String] == ["TestObjCModule", "TestC.Plain"])
    let double = try #require(found["TestObjC"]?.first { $0["class"] as? String == "TestObjCFake" })
    #expect(double["protocol"] as? String == "TestClock" && double["name"] as? String == "big red")
  }

  @Test func `The path of an image is that of its file, also for the program`() throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let own = try #require(
      try Snapshot().images.first { $0.records.contains { $0.json.contains("TestC.Plain") } })
    #expect(own.base == UInt(bitPattern: registry_test_base()))
    // The tests are part of the program, or of a library that a test runner opens.
    #expect([program, String(cString: registry_test_path())].contains(own.path))
    #expect(FileManager.default.fileExists(atPath: own.path))
    #expect(own.path.hasPrefix("/"))
  }

  // The test has a process of its own, because other suites open and close images.
  @Test(.timeLimit(.minutes(20))) func `The generation changes only when an image is loaded or unloaded`() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let library = try Library(scratch.path + "/libgeneration.so", exports: "")
      let before = registry_images_generation()
      #expect(before != 0)
      #expect(registry_images_generation() == before)
      #expect(try Snapshot().generation == before)
      let handle = try library.open()
      let opened = registry_images_generation()
      #expect(opened != before)
      #expect(try Snapshot().generation == opened)
      dlclose(handle)
      #expect(registry_images_generation() != opened)
      #expect(registry_images_generation() != before)
    }
  }

  // After many checks, a check reads only the end of the loader's list.
  @Test(.timeLimit(.minutes(20))) func `The generation changes after many checks without a change, too`() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let library = try Library(scratch.path + "/liblate.so", exports: "REGISTRY_EXPORT_MODULE(Late.Module)")
      var current = try Snapshot().generation
      for _ in 1...1_000 { #expect(registry_images_generation() == current) }
      for _ in 1...3 {
        let handle = try library.open()
        let opened = try Snapshot()
        #expect(opened[library.path] != nil && opened.generation != current)
        #expect(registry_images_generation() == opened.generation)
        dlclose(handle)
        #expect(registry_images_generation() != opened.generation)
        let closed = try Snapshot()
        #expect(closed[library.path] == nil)
        #expect(registry_images_generation() == closed.generation)
        current = closed.generation
      }
    }
  }

  /// Checks scans after glibc's number of closed images returns to its value at the last scan.
  ///
  /// glibc computes the number from the images of all namespaces. In 2.36, a new namespace with two
  /// images lowers it by two.
  @Test(.timeLimit(.minutes(20))) func `Images in another namespace do not conceal closed images`() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let closed = try ["one", "two"].map { name in
        try Library("\(scratch.path)/lib\(name).so", exports: "REGISTRY_EXPORT_MODULE(Closed.\(name))").open()
      }
      let swift = try Library.withSwift("\(scratch.path)/libswift.so")
      let needed = try Library(scratch.path + "/libneeded.so", exports: "", flags: ["-nostdlib"])
      let other = try Library(
        scratch.path + "/libother.so", exports: "",
        flags: ["-nostdlib", "-Wl,--no-as-needed", "-x", "none", needed.path])
      registry_pin_swift()
      let before = try Snapshot()
      closed.forEach { dlclose($0) }
      let generation = registry_images_generation()
      // Swift does not import this GNU function.
      typealias Open = @convention(c) (Int, UnsafePointer<CChar>, CInt) -> UnsafeMutableRawPointer?
      let openInNewNamespace = unsafeBitCast(dlsym(nil, "dlmopen"), to: Open.self)
      _ = try #require(openInNewNamespace(-1, other.path, RTLD_NOW), "\(String(cString: dlerror()))")
      #expect(registry_images_generation() != generation)
      #expect(try Snapshot(after: before.images.map(\.serial).max()!).images.count == before.images.count - 2)

      let handle = try swift.open()
      registry_pin_swift()
      dlclose(handle)
      #expect(try Snapshot()[swift.path] != nil)
    }
  }

  @Test func `An image that is opened later gets a higher serial, and only its records are copied`() throws {
    let scratch = try Scratch()
    let library = try Library(
      scratch.path + "/libplug.so",
      exports: "REGISTRY_EXPORT_MODULE(Plug.One)\nREGISTRY_EXPORT_SERVICE(Plug.Api, Plug.Two)")
    let before = try Snapshot()
    #expect(before[library.path] == nil)
    let last = before.images.map(\.serial).max()!

    let handle = try library.open()
    let later = try Snapshot(after: last)
    let image = try #require(later[library.path])
    #expect(image.serial > last)
    #expect(
      image.records.map(\.json) == [
        "{\"module\":\"Plug.One\"}", "{\"protocol\":\"Plug.Api\",\"class\":\"Plug.Two\"}",
      ])
    #expect(later.images.map(\.serial) == later.images.map(\.serial).sorted())
    for known in later.images where known.serial <= last {
      #expect(known.sections == 0)
      #expect(known.path.isEmpty)
    }
    // Other suites open and close images in the temporary folder meanwhile, so leave those out.
    let own = { (snapshot: Snapshot) in snapshot.images.filter { !$0.path.hasPrefix(NSTemporaryDirectory()) } }
    let serials = { (snapshot: Snapshot) in own(snapshot).map(\.serial) }
    #expect(Set(serials(before)).isSubset(of: later.images.map(\.serial)))
    // A reader that knows fewer images receives more.
    #expect(try Snapshot(after: 0)[library.path]?.records.count == 2)
    #expect(try own(Snapshot(after: 0)).allSatisfy { !$0.records.isEmpty })

    dlclose(handle)
    #expect(try Snapshot()[library.path] == nil)
    #expect(try serials(Snapshot()) == serials(before))
  }

  @Test func `An image that is opened again after a scan has a new serial`() throws {
    let scratch = try Scratch()
    let library = try Library(scratch.path + "/libagain.so", exports: "REGISTRY_EXPORT_MODULE(Again.One)")
    let first = try library.open()
    let serial = try #require(try Snapshot()[library.path]).serial
    dlclose(first)
    _ = try Snapshot()
    let second = try library.open()
    defer { dlclose(second) }
    #expect(try #require(try Snapshot()[library.path]).serial > serial)
  }

  @Test func `An image that is closed and opened with other records between two scans is a new one`() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/libswap.so"
    let first = try Library(path, exports: "REGISTRY_EXPORT_MODULE(Swap.One)").open()
    let serial = try #require(try Snapshot()[path]).serial
    dlclose(first)
    // The record is as long as the previous one, so that the layout of the file does not change.
    let second = try Library(path, exports: "REGISTRY_EXPORT_MODULE(Swap.Two)").open()
    defer { dlclose(second) }
    let image = try #require(try Snapshot(after: serial)[path])
    #expect(image.serial > serial)
    #expect(image.records.map(\.json) == ["{\"module\":\"Swap.Two\"}"])
  }

  @Test func `Closing another image does not make a known one new`() throws {
    let scratch = try Scratch()
    let staying = try Library(scratch.path + "/libstaying.so", exports: "REGISTRY_EXPORT_MODULE(Staying.One)")
    let going = try Library(scratch.path + "/libgoing.so", exports: "REGISTRY_EXPORT_MODULE(Going.One)")
    let first = try going.open()
    let second = try staying.open()
    defer { dlclose(second) }
    let serial = try #require(try Snapshot()[staying.path]).serial
    dlclose(first)
    #expect(try #require(try Snapshot()[staying.path]).serial == serial)
  }

  @Test func `An image with Swift is pinned at the position of a closed image, too`() throws {
    let scratch = try Scratch()
    let plain = try Library(scratch.path + "/libplain.so", exports: "REGISTRY_EXPORT_MODULE(Plain.One)")
    let swift = try Library.withSwift("\(scratch.path)/libswift.so")
    for library in [plain, swift] {
      let handle = try library.open()
      registry_pin_swift()
      dlclose(handle)
    }
    let snapshot = try Snapshot()
    #expect(snapshot[plain.path] == nil)
    #expect(snapshot[swift.path] != nil)
  }

  @Test func `A pinned image stays when it is closed`() throws {
    let scratch = try Scratch()
    let library = try Library(scratch.path + "/libpinned.so", exports: "REGISTRY_EXPORT_MODULE(Pinned.One)")
    let handle = try library.open()
    let record = try #require(try Snapshot()[library.path]?.records.first)
    #expect(registry_image_pin(UnsafeRawPointer(bitPattern: record.address)!))
    #expect(registry_image_pin(UnsafeRawPointer(bitPattern: record.address)!))
    dlclose(handle)
    #expect(try Snapshot()[library.path]?.records.map(\.json) == ["{\"module\":\"Pinned.One\"}"])
  }

  @Test func `Pinning requires an address in an image`() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { memory.deallocate() }
    #expect(!registry_image_pin(memory))
    #expect(!registry_image_pin(nil))
    #expect(registry_image_pin(registry_shared()))
  }

  @Test func `Pinning returns a segment whose addresses are all in the pinned image`() throws {
    let scratch = try Scratch()
    let library = try Library(scratch.path + "/libsegment.so", exports: "REGISTRY_EXPORT_MODULE(Segment.One)")
    let handle = try library.open()
    let address = try #require(try Snapshot()[library.path]?.records.first).address
    var segment = registry_segment()
    #expect(registry_image_pin_segment(UnsafeRawPointer(bitPattern: address), &segment) == REGISTRY_PIN_KEPT)
    #expect(segment.start <= address && address < segment.end)
    dlclose(handle)
    for inside in [segment.start, segment.end - 1] {
      let byte = try #require(UnsafeRawPointer(bitPattern: inside))
      var same = registry_segment()
      #expect(registry_image_pin_segment(byte, &same) == REGISTRY_PIN_KEPT)
      #expect(same.start == segment.start && same.end == segment.end)
      // The process would crash here if the segment were no longer mapped.
      _ = byte.load(as: UInt8.self)
    }
    // An address outside all images has no segment, and the call resets the previous one.
    #expect(registry_image_pin_segment(UnsafeRawPointer(bitPattern: UInt.max - 7), &segment) == REGISTRY_PIN_NO_IMAGE)
    #expect(segment.start == 0 && segment.end == 0)
    #expect(registry_image_pin_segment(registry_shared(), &segment) == REGISTRY_PIN_KEPT)
    #expect(segment.start < segment.end)
  }

  @Test func `Malformed records and other versions are copied, and images without records are not`() throws {
    let scratch = try Scratch()
    let other = try Library(
      scratch.path + "/libother.so",
      exports: """
        __attribute__((section(".note.registry"), used, aligned(8)))
        static const struct { uint32_t sizes[3]; char name[12]; char rest[16]; } next = {{10, 16, 1}, "Registry2", ""};
        """)
    let none = try Library(
      scratch.path + "/libnone.so",
      exports: """
        __attribute__((section(".note.other"), used, aligned(4)))
        static const struct { uint32_t sizes[3]; char name[4]; char rest[16]; } other = {{4, 16, 1}, "ABC", "Registr"};
        """)
    // The section contains only a header, which is not a record and must be reported.
    let stump = try Library(
      scratch.path + "/libstump.so",
      exports: """
        __attribute__((section(".note.registry"), used, aligned(8)))
        static const struct { uint32_t sizes[3]; char name[12]; } stump = {{9, 16, 1}, "Registry"};
        """)
    let handles = [try other.open(), try none.open(), try stump.open()]
    defer { handles.forEach { dlclose($0) } }
    let snapshot = try Snapshot()
    #expect(snapshot[other.path]?.sections == 1)
    #expect(snapshot[other.path]?.records.count == 0)
    #expect(snapshot[none.path] == nil)
    #expect(snapshot[stump.path]?.sections == 1 && snapshot[stump.path]?.records.isEmpty == true)
  }

  @Test func `Overlapping notes are read once, and notes outside the image are not read`() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/libnotes.so"
    _ = try Library(path, exports: "REGISTRY_EXPORT_MODULE(Notes.One)\nREGISTRY_EXPORT_MODULE(Notes.Two)")
    let whole = try ElfFile(path)
    var segments = whole.segments
    let size: UInt64 = 32 + 24  // The size of a record that contains `{"module":"Notes.One"}`.
    let notes = try #require(segments.firstIndex { $0.type == ElfFile.Segment.note && $0.size == 2 * size })
    let other = try #require(segments.firstIndex { $0.type == ElfFile.Segment.unwinding })

    // Like gold, use one segment for the first record and eight bytes of the second, and another
    // segment for all of the second.
    segments[notes].size = size + 8
    segments[notes].alignment = 4
    segments[other] = ElfFile.Segment(
      type: ElfFile.Segment.note, address: segments[notes].address + size, size: size, alignment: 8)
    var changed = whole
    changed.segments = segments
    let overlapping = scratch.path + "/liboverlapping.so"
    try changed.write(to: overlapping)
    let first = try #require(dlopen(overlapping, RTLD_NOW | RTLD_LOCAL), "\(String(cString: dlerror()))")
    defer { dlclose(first) }
    let image = try #require(try Snapshot()[overlapping])
    #expect(image.sections == 1)
    #expect(image.records.map(\.json) == ["{\"module\":\"Notes.One\"}", "{\"module\":\"Notes.Two\"}"])

    if registry_test_is_sanitized() { return }
    // These notes are far from the image, wrap around the address space, or end behind the image.
    // The loader ignores the alignment.
    let start = whole.segments[notes].address
    for (address, size) in [(0x7000_0000_0000, 0x2000), (.max - 0xfff, 0x2000), (start, 1 << 40)] as [(UInt64, UInt64)]
    {
      segments[notes] = ElfFile.Segment(type: ElfFile.Segment.note, address: address, size: size, alignment: 16)
      segments[other] = segments[notes]
      changed.segments = segments
      let astray = scratch.path + "/libastray-\(address).so"
      try changed.write(to: astray)
      let second = try #require(dlopen(astray, RTLD_NOW | RTLD_LOCAL), "\(String(cString: dlerror()))")
      #expect(try Snapshot()[astray] == nil)
      dlclose(second)
    }
  }

  @Test func `A file that ends before its last segment is rejected, and one that ends with it is not`() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/libwhole.so"
    _ = try Library(path, exports: "REGISTRY_EXPORT_MODULE(Whole.One)\nchar data[5000] = {1};")
    let whole = try ElfFile(path)
    for missing in [0, 1, 4_000] {
      let cut = scratch.path + "/libcut\(missing).so"
      try whole.cut(to: whole.end - missing).write(to: cut)
      var problem = [CChar](repeating: 1, count: 100)
      problem[99] = 0
      let handle = registry_open(cut, &problem, problem.count)
      let text = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect((handle != nil) == (missing == 0), "\(missing): \(text)")
      #expect(text.hasPrefix("the file is truncated: it ends before its segments do") == (missing > 0))
      #expect(text.utf8.allSatisfy { $0 != 1 } == (missing > 0))
      if let handle { #expect(registry_close(handle)) }
    }
  }

  @Test func `Snapshots are consistent while other threads open and close images`() throws {
    let scratch = try Scratch()
    let libraries = try (0..<3).map { number in
      try Library(
        scratch.path + "/libchurn\(number).so",
        exports: (0..<20).map { "REGISTRY_EXPORT_MODULE(Churn\(number).M\($0))" }.joined(separator: "\n"))
    }
    onThreads(4) { worker in
      for round in 0..<60 {
        if worker < 2 {
          let path = libraries[(worker + round) % 3].path
          guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            preconditionFailure("cannot open \(path)")
          }
          dlclose(handle)
        } else {
          guard let snapshot = try? Snapshot() else { preconditionFailure("no snapshot") }
          for image in snapshot.images where image.path.contains("libchurn") {
            precondition(image.records.count == 20, "\(image)")
          }
          let serials = snapshot.images.map(\.serial)
          precondition(serials == serials.sorted() && Set(serials).count == serials.count)
        }
      }
    }
    let snapshot = try Snapshot()
    #expect(!snapshot.images.isEmpty && !snapshot.images.contains { $0.path.contains("libchurn") })
  }

  /// Checks that a scan finds an image only when the loader has relocated it.
  ///
  /// The loader lists an image earlier. The many pointers extend this period, so that the test
  /// meets it. Without waiting for the loader, the test found accessors that were not addresses
  /// yet.
  @Test func `An image that is being opened is found after its accessors are relocated`() throws {
    let scratch = try Scratch()
    let library = try Library(
      scratch.path + "/librelocated.so",
      exports: """
        static bool accessor(void *out, const void *type, uintptr_t reserved) { return out && type && reserved; }
        __attribute__((section(".note.registry"), used, aligned(8))) static struct {
          uint32_t sizes[3]; char name[12]; registry_accessor accessor; char json[8];
        } record = {{9, 16, 1}, "Registry", accessor, "{}"};
        #define ADDRESS (void *)&pointers
        static void *pointers[] __attribute__((used)) = {\(String(repeating: "ADDRESS,", count: 100_000))};
        """)
    #expect(registry_test_open_and_look(library.path, 100) == 0)
  }
}
