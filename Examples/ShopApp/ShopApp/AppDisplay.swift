import Observation
import Registry
import ShopAPI

/// The display of the features, which keeps their lines for `NotesView`.
///
/// In the terminal, the feature Terminal exports this service. The app does not link that feature.
@ExportService(Display.self, scope: .shared)
@Observable final class AppDisplay: Display {
  private(set) var lines: [String] = []

  init() {}

  func show(_ line: String) { lines.append(line) }
}
