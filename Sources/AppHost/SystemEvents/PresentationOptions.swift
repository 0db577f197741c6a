/// How a notification is shown while the app is in front: UserNotifications' `UNNotificationPresentationOptions`.
///
/// The outcome is the union of the answers: it is shown in every way that some module asks for, and not at all if none does.
public struct PresentationOptions: OptionSet, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// A number on the app's icon.
  public static let badge = Self(rawValue: 1 << 0)
  public static let sound = Self(rawValue: 1 << 1)
  /// An entry in the notification centre.
  public static let list = Self(rawValue: 1 << 2)
  public static let banner = Self(rawValue: 1 << 3)

  /// UserNotifications' options by their bits.
  ///
  /// The bit of `alert`, which `list` and `banner` took the place of in iOS 14 and which delegates still answer, stands for those two.
  package init(systemBits bits: UInt) {
    self = []
    for (option, theirs) in Self.systemBits where bits & theirs != 0 { insert(option) }
  }

  /// UserNotifications' bits.
  package var systemBits: UInt {
    Self.systemBits.reduce(0) { contains($1.0) && $1.1 != Self.alert ? $0 | $1.1 : $0 }
  }

  private static let alert: UInt = 1 << 2
  private static let systemBits: [(PresentationOptions, UInt)] = [
    (.badge, 1 << 0), (.sound, 1 << 1), ([.list, .banner], alert), (.list, 1 << 3), (.banner, 1 << 4),
  ]

  /// `[sound, banner]`; bits that have no name as a number.
  public var description: String {
    var rest = self
    var words: [String] = []
    for (option, name) in [(Self.badge, "badge"), (.sound, "sound"), (.list, "list"), (.banner, "banner")]
    where contains(option) {
      words.append(name)
      rest.subtract(option)
    }
    if !rest.isEmpty { words.append("\(rest.rawValue)") }
    return "[\(words.joined(separator: ", "))]"
  }
}
