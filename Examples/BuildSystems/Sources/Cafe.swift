import API
import Registry

/// Prints the prices of all features: 1 and 2 are in C, 3 and 4 in Swift, and the even ones in
/// shared libraries.
@main enum Cafe {
  static func main() throws {
    print(try ServiceManager.shared.contributions(to: .prices).map { $0() }.sorted())
  }
}
