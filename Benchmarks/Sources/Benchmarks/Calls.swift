import Elsewhere
import Foundation
import Lifecycle
import Measuring
import Registry

/// The loops whose instructions a tool counts.
///
/// The script `Benchmarks/instructions` runs them.
@MainActor enum Calls {
  static func run(_ name: String, _ count: Int) throws {
    try SharedServices.prepare()
    let (found, expected): (Int, Int)
    switch name {
    case "lookUpShared": (found, expected) = (try lookUpShared(count), sum(count))
    case "readConstant": (found, expected) = (readConstant(count), sum(count))
    case "lookUpTransient": (found, expected) = (try lookUpTransient(count), SmallParcel.weight * count)
    case "lookUpRegistered": (found, expected) = (try lookUpRegistered(count), SmallParcel.weight * count)
    case "makeParcels": (found, expected) = (makeParcels(count), SmallParcel.weight * count)
    case "matchRoutes":
      (found, expected) = (try matchRoutes(count, patterns(10_000), urls(10_000)), 7 * count)
    case "splitByFoundation": (found, expected) = (try splitByFoundation(count, urls(10_000)), 7 * count)
    case "triggerOne", "triggerHundred":
      let dispatching = try Dispatching([LoneTicker.self] + Tickers.types)
      // The first event collects the handlers.
      triggerOne(1, dispatching.manager)
      let before = dispatching.sum()
      if name == "triggerOne" {
        triggerOne(count, dispatching.manager)
      } else {
        triggerHundred(count, dispatching.manager)
      }
      (found, expected) = (dispatching.sum() - before, (name == "triggerOne" ? 1 : 100) * count)
    default: throw Options.Unknown(description: "there is no loop \(name)")
    }
    guard found == expected else { throw WrongChecksum(expected: expected, found: found) }
  }

  /// Opens an image that contains records and, if requested, scans them.
  ///
  /// If the counter is loaded, the function prints how many allocations opening and scanning make.
  static func open(_ image: String, looks: Bool) throws {
    let counter = dlsym(nil, "benchmark_allocations").map { unsafeBitCast($0, to: (@convention(c) () -> Int).self) }
    let start = counter?() ?? 0
    guard openImage(image) else { throw FirstUse.Wrong(description: String(cString: dlerror())) }
    let opened = counter?() ?? 0
    guard !looks || look() else { throw FirstUse.Wrong(description: "the image has no such service") }
    let looked = counter?() ?? 0
    if counter != nil { print(opened - start, looked - opened) }
  }

  // The tool counts only inside calls to these functions.

  @inline(never) nonisolated static func openImage(_ image: String) -> Bool {
    dlopen(image, RTLD_NOW | RTLD_LOCAL) != nil
  }

  @inline(never) nonisolated static func look() -> Bool { ServiceManager.shared.contains((any Findable).self) }
}
