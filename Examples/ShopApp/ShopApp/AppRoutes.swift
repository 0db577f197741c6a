import AppHost
import Lifecycle
import Navigation
import Routing

// The routes of the app itself. ShopAPI declares the features' routes.

extension Route where Parameters == Void, Outcome == Void {
  /// The first page. A link to it closes all other pages.
  static var home: Self { .init("app.home", [#pattern("shop://home")], access: .remote) }
}

extension Route where Parameters == Void, Outcome == NotesView {
  /// The lines that features have shown on the display.
  static var notes: Self { .init("app.notes", [#pattern("shop://notes")], access: .remote) }
}

#exportRoute(.home) { NavigationModel.shared.showFirstPage() }

// The link is from outside the app, so it can open only remote routes.
#onEvent(.openLink, taskPriority: .userInitiated) { link in
  await NavigationModel.shared.open(link.url, from: .remote)
}
