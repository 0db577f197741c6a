import Registry
import ShopAPI

/// Of the main actor, because its protocol is: nothing here says so, the library finds out.
@ExportService(Display.self, scope: .shared)
final class TerminalDisplay: Display {
  func show(_ line: String) { print("  \(line)") }
}
