package import Registry

/// An answer of a method written in Objective-C.
package enum ObjectiveCAnswer: Sendable, Hashable {
  case bool(Bool)
  case fetchResult(FetchResult)
  case presentation(PresentationOptions)
  case reply([String: PropertyValue]?)
  case activity(UserActivity?)

  /// The outcome of the event that the answer is for.
  var value: any Sendable {
    switch self {
    case .bool(let value): value
    case .fetchResult(let value): value
    case .presentation(let value): value
    case .reply(let value): value
    case .activity(let value): value
    }
  }

  /// Returns the selector that answers an event with an outcome of a type, or nil if there is none.
  static func selector(for outcome: Any.Type) -> String? {
    switch outcome {
    case is Bool.Type: "answer:"
    case is FetchResult.Type: "answerFetchResult:"
    case is PresentationOptions.Type: "answerPresentationOptions:"
    case is [String: PropertyValue]?.Type: "reply:"
    case is UserActivity?.Type: "answerActivity:"
    default: nil
    }
  }

  /// The selector of the method that gives the answer.
  package var selector: String {
    switch self {
    case .bool: "answer:"
    case .fetchResult: "answerFetchResult:"
    case .presentation: "answerPresentationOptions:"
    case .reply: "reply:"
    case .activity: "answerActivity:"
    }
  }
}
