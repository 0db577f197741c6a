import AppHost
import Lifecycle
import Navigation
import Routing

// The routes of the app itself. The features declare theirs in ShopAPI.

extension Route where Parameters == Void, Outcome == Void {
  /// The first page. A link to it closes all other pages.
  static var home: Self { .init("app.home", [#pattern("shop://home")], access: .remote) }
}

extension Route where Parameters == Void, Outcome == NotesView {
  /// The lines that the features showed on the display.
  static var notes: Self { .init("app.notes", [#pattern("shop://notes")], access: .remote) }
}

#exportRoute(.home) { NavigationModel.shared.showFirstPage() }

// A link comes from outside the app, so it opens only remote routes.
#onEvent(.openLink, taskPriority: .userInitiated) { link in
  await NavigationModel.shared.open(link.url, from: .remote)
}
