import Observation
import Registry
import ShopAPI

/// The display of the features, which keeps their lines for `NotesView`.
///
/// In the terminal shop, the Terminal feature, which this app doesn't link, exports this service.
@ExportService(Display.self, scope: .shared)
@Observable final class AppDisplay: Display {
  private(set) var lines: [String] = []

  init() {}

  func show(_ line: String) { lines.append(line) }
}
