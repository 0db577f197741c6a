// The declarations of the Swift module AppKit beyond its headers, as far as they are used. Bodies
// are not compiled.
@_exported import AppKit
@_exported import Foundation

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplicationdelegate/main()
extension NSApplicationDelegate {
  @MainActor public static func main() {}
}
