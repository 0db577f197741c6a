/// The version of this package, which `--version` prints.
enum Version {
  /// The version that `CHANGELOG.md` names.
  static let current = "0.1.0-dev"
}
