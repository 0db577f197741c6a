/// The version of this package, which `--version` prints.
enum Version {
  static let current = "0.1.0-dev"
}
