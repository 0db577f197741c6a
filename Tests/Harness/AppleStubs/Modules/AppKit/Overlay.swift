// What the system's Swift module AppKit adds to its headers, as far as it is used. Bodies are not compiled.
@_exported import AppKit
@_exported import Foundation

extension NSApplicationDelegate {
  @MainActor public static func main() {}
}
