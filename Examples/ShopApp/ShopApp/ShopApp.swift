import AppHost
import Navigation
import ShopAPI
import SwiftUI

/// The app, which depends on the API and names no feature.
@main struct ShopApp: App {
  @State private var navigation = NavigationModel.shared

  var body: some Scene {
    WindowGroup {
      NavigationStack(path: $navigation.pages) {
        HomeView(navigation: navigation)
          .navigationDestination(for: Page.self) { PageView(page: $0) }
      }
      // When SwiftUI applies the modifier, before it evaluates the bodies of the views above, the
      // modifier starts the modules. It also triggers their events.
      .modules()
    }
  }
}
