import API
import Registry

/// Prints the prices of all features. Prices 1 and 2 are in C, and 3 and 4 are in Swift; even
/// prices are in shared libraries.
@main enum Cafe {
  static func main() throws {
    print(try ServiceManager.shared.contributions(to: .prices).map { $0() }.sorted())
  }
}
