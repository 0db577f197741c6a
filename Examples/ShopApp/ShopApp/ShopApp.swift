import AppHost
import Navigation
import ShopAPI
import SwiftUI

/// The app, which knows the API and no feature by name.
@main struct ShopApp: App {
  @State private var navigation = NavigationModel.shared

  var body: some Scene {
    WindowGroup {
      NavigationStack(path: $navigation.pages) {
        HomeView(navigation: navigation)
          .navigationDestination(for: Page.self) { PageView(page: $0) }
      }
      // Starts the modules when it is applied, before the bodies of the views above are evaluated,
      // and triggers their events.
      .modules()
    }
  }
}
