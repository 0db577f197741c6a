import Registry
import ShopAPI

/// A display that prints lines.
///
/// Its protocol is isolated to the main actor, and so is this class. The library detects the
/// isolation and creates the display only on the main actor.
@ExportService(Display.self, scope: .shared)
final class TerminalDisplay: Display {
  init() {}

  func show(_ line: String) { print("  \(line)") }
}
