/// The ways to show a notification while the app is active.
///
/// They correspond to `UNNotificationPresentationOptions` in UserNotifications. The outcome of the
/// event is the union of all answers. If there are no answers, the notification is not shown.
public struct NotificationPresentationOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// A badge on the app's icon.
  public static let badge = Self(rawValue: 1 << 0)
  public static let sound = Self(rawValue: 1 << 1)
  /// An entry in the notification center.
  public static let list = Self(rawValue: 1 << 2)
  public static let banner = Self(rawValue: 1 << 3)

  /// Creates options from a raw value in UserNotifications.
  ///
  /// Existing delegates can still return `alert`, which iOS 14 replaced with `list` and `banner`.
  package init(systemBits bits: UInt) {
    self = bits & 1 << 2 != 0 ? [.list, .banner] : []
    for named in Self.named where bits & named.systemBit != 0 { insert(named.option) }
  }

  /// The raw value in UserNotifications.
  package var systemBits: UInt { Self.named.reduce(0) { contains($1.option) ? $0 | $1.systemBit : $0 } }

  private static let named: [(option: NotificationPresentationOptions, systemBit: UInt)] = [
    (.badge, 1 << 0), (.sound, 1 << 1), (.list, 1 << 3), (.banner, 1 << 4),
  ]
}
