// A SwiftUI app that uses the package's delegate, and one whose scenes trigger the modules' events.
import AppHost
import Foundation
import Lifecycle

#if canImport(SwiftUI)
import SwiftUI

struct ShopApp: App {
  #if canImport(UIKit) && !os(watchOS)
  @UIApplicationDelegateAdaptor(ModuleAppDelegate.self) private var appDelegate
  #elseif os(watchOS)
  @WKApplicationDelegateAdaptor(ModuleAppDelegate.self) private var appDelegate
  #elseif canImport(AppKit)
  @NSApplicationDelegateAdaptor(ModuleAppDelegate.self) private var appDelegate
  #endif

  var body: some Scene {
    WindowGroup { Text("Shop") }
  }
}

struct PlainApp: App {
  var body: some Scene {
    WindowGroup { Text("Shop").hostsModules() }
  }
}
#endif
