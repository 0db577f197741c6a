import Registry
import ShopAPI

/// A service that a record in C exports; see LegacyRecords.
final class SystemClock: Clock, NamedExport {
  init() {}

  func now() -> String { "nine o'clock" }
}
