#if canImport(ObjectiveC)
import Foundation

/// Conversions between completions and Objective-C blocks.
enum Block {
  // Unsafe because only the selector of a method determines the type of its block, which is an
  // object. A caller that is not a system may pass no block. Then it does not wait for an answer.

  /// Copies a block to the heap, so that it outlives the call that passed it.
  ///
  /// A caller's block can be on its stack, and retaining it as an object leaves it there.
  static func copied(_ block: AnyObject?) -> AnyObject? { (block as? NSObject)?.copy() as AnyObject? }

  /// Calls a completion with the outcome of an event.
  static func call<Outcome>(_ block: AnyObject?, _ outcome: Outcome) {
    guard let block else { return }
    switch outcome {
    case let handled as Bool: unsafeBitCast(block, to: (@convention(block) (ObjCBool) -> Void).self)(ObjCBool(handled))
    case let result as BackgroundFetchResult: integer(block, result.systemValue)
    case let options as NotificationPresentationOptions: integer(block, options.systemBits)
    default: unsafeBitCast(block, to: (@convention(block) () -> Void).self)()
    }
  }

  /// Calls a block that takes an object.
  static func object(_ block: AnyObject, _ object: AnyObject?) {
    unsafeBitCast(block, to: (@convention(block) (AnyObject?) -> Void).self)(object)
  }

  private static func integer(_ block: AnyObject, _ number: UInt) {
    unsafeBitCast(block, to: (@convention(block) (UInt) -> Void).self)(number)
  }

  /// Creates a completion that receives the answer of an app's own delegate.
  static func make<Outcome>(_ answer: @escaping @Sendable (Outcome) -> Void) -> AnyObject {
    @Sendable func pass(_ values: Any...) { values.lazy.compactMap { $0 as? Outcome }.first.map(answer) }
    switch Outcome.self {
    case is Bool.Type:
      let block: @convention(block) (ObjCBool) -> Void = { pass($0.boolValue) }
      return unsafeBitCast(block, to: AnyObject.self)
    case is BackgroundFetchResult.Type, is NotificationPresentationOptions.Type:
      let block: @convention(block) (UInt) -> Void = {
        pass(BackgroundFetchResult(systemValue: $0) ?? .noData, NotificationPresentationOptions(systemBits: $0))
      }
      return unsafeBitCast(block, to: AnyObject.self)
    default:
      let block: @convention(block) () -> Void = { pass(()) }
      return unsafeBitCast(block, to: AnyObject.self)
    }
  }

  /// Creates a block that takes an object.
  static func object(_ body: @escaping @Sendable (AnyObject?) -> Void) -> AnyObject {
    let block: @convention(block) (AnyObject?) -> Void = body
    return unsafeBitCast(block, to: AnyObject.self)
  }
}
#endif
