/// The ways to show a notification while the app is active.
///
/// The options correspond to `UNNotificationPresentationOptions` in UserNotifications. The outcome
/// of the event is the union of the answers, so a notification is not shown if no module answers.
public struct PresentationOptions: OptionSet, Sendable, Hashable, CustomStringConvertible {
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

  /// Creates options from the bits of UserNotifications.
  ///
  /// Delegates still return the bit of `alert`, although iOS 14 replaced it. It represents `list`
  /// and `banner`.
  package init(systemBits bits: UInt) {
    self = []
    for (option, theirs) in Self.systemBits where bits & theirs != 0 { insert(option) }
  }

  /// The bits of UserNotifications.
  package var systemBits: UInt {
    Self.systemBits.reduce(0) { contains($1.0) && $1.1 != Self.alert ? $0 | $1.1 : $0 }
  }

  private static let alert: UInt = 1 << 2
  private static let systemBits: [(PresentationOptions, UInt)] = [
    (.badge, 1 << 0), (.sound, 1 << 1), ([.list, .banner], alert), (.list, 1 << 3), (.banner, 1 << 4),
  ]

  /// The names of the options, with unnamed bits as a number.
  ///
  /// An example is `[sound, banner]`.
  public var description: String {
    let names = [(Self.badge, "badge"), (.sound, "sound"), (.list, "list"), (.banner, "banner")]
    let rest = subtracting([.badge, .sound, .list, .banner])
    let words = names.filter { contains($0.0) }.map(\.1) + (rest.isEmpty ? [] : ["\(rest.rawValue)"])
    return "[\(words.joined(separator: ", "))]"
  }
}
