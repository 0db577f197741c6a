#if canImport(ObjectiveC)
import Foundation

enum Block {
  // The casts are unsafe: a method receives its block as an object, and only the method's selector
  // determines the block's type. A caller other than the system can pass nil instead of a block.

  /// Copies a block from the caller's stack to the heap, so that it outlives the call. Retaining it
  /// as an object would leave it on the stack.
  static func copied(_ block: AnyObject?) -> AnyObject? { (block as? NSObject)?.copy() as AnyObject? }

  static func call<Outcome>(_ block: AnyObject?, _ outcome: Outcome) {
    guard let block else { return }
    switch outcome {
    case let handled as Bool: unsafeBitCast(block, to: (@convention(block) (ObjCBool) -> Void).self)(ObjCBool(handled))
    case let result as BackgroundFetchResult: integer(block, result.systemValue)
    case let options as NotificationPresentationOptions: integer(block, options.systemBits)
    default: unsafeBitCast(block, to: (@convention(block) () -> Void).self)()
    }
  }

  static func object(_ block: AnyObject, _ object: AnyObject?) {
    unsafeBitCast(block, to: (@convention(block) (AnyObject?) -> Void).self)(object)
  }

  private static func integer(_ block: AnyObject, _ number: UInt) {
    unsafeBitCast(block, to: (@convention(block) (UInt) -> Void).self)(number)
  }

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

  static func object(_ body: @escaping @Sendable (AnyObject?) -> Void) -> AnyObject {
    let block: @convention(block) (AnyObject?) -> Void = body
    return unsafeBitCast(block, to: AnyObject.self)
  }
}
#endif
