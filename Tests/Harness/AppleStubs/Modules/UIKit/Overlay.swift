// The declarations of the Swift module UIKit beyond its headers, as far as they are used. Bodies
// are not compiled.
@_exported import Foundation
@_exported import UIKit

#if !os(watchOS)
extension UIApplicationDelegate {
  @MainActor public static func main() {}
}
#endif
