// What the system's Swift module UIKit adds to its headers, as far as it is used. Bodies are not compiled.
@_exported import Foundation
@_exported import UIKit

#if !os(watchOS)
extension UIApplicationDelegate {
  @MainActor public static func main() {}
}
#endif
