package import Registry

/// What a method written in Objective-C answers.
package enum ObjectiveCAnswer: Sendable, Hashable {
  case bool(Bool)
  case fetchResult(FetchResult)
  case presentation(PresentationOptions)
  case reply([String: PropertyValue]?)

  /// The method that gives it, as Objective-C spells it.
  package var selector: String {
    switch self {
    case .bool: "answer:"
    case .fetchResult: "answerFetchResult:"
    case .presentation: "answerPresentationOptions:"
    case .reply: "reply:"
    }
  }
}

extension FetchResult {
  /// UIKit's `UIBackgroundFetchResult`; nil for a number that is none.
  package init?(uiKit number: UInt) {
    switch number {
    case 0: self = .newData
    case 1: self = .noData
    case 2: self = .failed
    default: return nil
    }
  }
}

extension PresentationOptions {
  /// UserNotifications' `UNNotificationPresentationOptions`. Its older `alert` is a banner and an entry in the list.
  package init(userNotifications bits: UInt) {
    self = []
    for (bit, options) in [
      (1, .badge), (2, .sound), (4, [.banner, .list]), (8, .list), (16, .banner),
    ] as [(UInt, PresentationOptions)] where bits & bit != 0 {
      formUnion(options)
    }
  }
}

/// How an event is answered from Objective-C.
struct ObjectiveCOutcome<Outcome: Sendable>: Sendable {
  /// If the method gives no answer: what changes no outcome.
  let neutral: Outcome
  /// The method to be called; nil if nothing is asked.
  let selector: String?
  let read: @Sendable (ObjectiveCAnswer) -> Outcome?
}

extension ObjectiveCOutcome where Outcome == Void {
  static var none: Self { Self(neutral: (), selector: nil) { _ in nil } }
}

extension ObjectiveCOutcome where Outcome == Bool {
  static func bool(neutral: Bool = false) -> Self {
    Self(neutral: neutral, selector: "answer:") { if case .bool(let answer) = $0 { answer } else { nil } }
  }
}

extension ObjectiveCOutcome where Outcome == FetchResult {
  static var fetchResult: Self {
    Self(neutral: .noData, selector: "answerFetchResult:") {
      if case .fetchResult(let answer) = $0 { answer } else { nil }
    }
  }
}

extension ObjectiveCOutcome where Outcome == PresentationOptions {
  static var presentation: Self {
    Self(neutral: [], selector: "answerPresentationOptions:") {
      if case .presentation(let answer) = $0 { answer } else { nil }
    }
  }
}

extension ObjectiveCOutcome where Outcome == [String: PropertyValue]? {
  static var reply: Self {
    Self(neutral: nil, selector: "reply:") { if case .reply(let answer) = $0 { .some(answer) } else { nil } }
  }
}
