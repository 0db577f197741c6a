// The feature of feature.c in Swift.

import Lifecycle
import Registry

@ExportModule final class Feature: Module {}

@ExportService((any CustomStringConvertible).self, named: "PLACE")
final class Service: CustomStringConvertible { let description = "PLACE" }

@_silgen_name("PLACE_function") public func function() -> CInt { 1 }

#if PROGRAM
// Prints the modules and creates the services of all images, after opening the library in the first
// argument.
@_silgen_name("archive_function") private func archiveFunction() -> CInt
@_silgen_name("library_function") private func libraryFunction() -> CInt

@_cdecl("main") public func main(
  count: CInt, arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>>
) -> CInt {
  do {
    if count > 1 { try ServiceManager.shared.openImage(at: String(cString: arguments[1])) }
    #if SHARED
    guard libraryFunction() == 1 else { return 1 }
    #endif
    guard archiveFunction() == 1 else { return 1 }
    for module in RecordSource.loadedImages.records(of: .module) { print(module.attributes) }
    for service in try ServiceManager.shared.createServices(for: (any CustomStringConvertible).self) {
      print("service", service)
    }
    return 0
  } catch {
    print(error)
    return 1
  }
}
#endif
