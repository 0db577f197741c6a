import Registry
import ShopAPI

/// Exported by a record in C; see LegacyRecords.
final class SystemClock: Clock, NamedExport {
  init() {}

  func now() -> String { "nine o'clock" }
}
