import Lifecycle

extension ContextKey where Value == [String] {
  static var flags: Self { .init("flags", default: []) }
}
