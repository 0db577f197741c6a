import Navigation
import Registry
import Routing
import ShopAPI
import SwiftUI

/// A page, which is the outcome of a route: a screen of a feature, or a view of the app.
struct PageView: View {
  let page: Page

  var body: some View {
    if let screen = page.content as? any Screen {
      LinesView(lines: screen.lines)
    } else if let view = page.content as? any View {
      AnyView(view)
    } else {
      Text(String(describing: page.content))
    }
  }
}

struct LinesView: View {
  let lines: [String]

  var body: some View {
    List { ForEach(lines.indices, id: \.self) { Text(lines[$0]) } }
  }
}

/// A view of the lines that features have shown. It's the outcome of a route that the app exports.
@ExportRoute(.notes)
struct NotesView: View {
  @Service private var display: any Display

  init() {}

  var body: some View {
    LinesView(lines: (display as? AppDisplay)?.lines ?? [])
      .navigationTitle("Notes")
  }
}
