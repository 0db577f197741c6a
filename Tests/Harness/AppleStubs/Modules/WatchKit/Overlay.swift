// The declarations of the Swift module WatchKit beyond its headers, as far as they are used. Bodies
// are not compiled.
@_exported import Foundation
@_exported import WatchKit

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplicationdelegate/main()
extension WKApplicationDelegate {
  @MainActor public static func main() {}
}
