import Registry
import ShopAPI

/// Of the main actor, because its protocol is: nothing here says so, the library finds out and makes it there only.
@ExportService(Display.self, scope: .shared)
final class TerminalDisplay: Display {
  init() {}

  func show(_ line: String) { print("  \(line)") }
}
