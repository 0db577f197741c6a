#if canImport(ObjectiveC)
import Foundation

/// Completions as Objective-C's blocks and back.
enum Block {
  // Unsafe: whoever calls these knows from a method's selector which block it is given or has to give, and a block is an object.
  // Whoever calls a method by hand may give none: then nobody waits.

  /// A block that outlives the call that it was given in: Objective-C's callers give blocks that are on their stack, and retaining one
  /// as an object leaves it there.
  static func copied(_ block: AnyObject?) -> AnyObject? { (block as? NSObject)?.copy() as AnyObject? }

  static func plain(_ block: AnyObject?) -> () -> Void {
    guard let block else { return {} }
    return unsafeBitCast(block, to: (@convention(block) () -> Void).self)
  }

  static func plain(_ body: @escaping @Sendable () -> Void) -> AnyObject {
    let block: @convention(block) () -> Void = body
    return unsafeBitCast(block, to: AnyObject.self)
  }

  static func boolean(_ block: AnyObject?) -> (Bool) -> Void {
    guard let block else { return { _ in } }
    let typed = unsafeBitCast(block, to: (@convention(block) (ObjCBool) -> Void).self)
    return { typed(ObjCBool($0)) }
  }

  static func boolean(_ body: @escaping @Sendable (Bool) -> Void) -> AnyObject {
    let block: @convention(block) (ObjCBool) -> Void = { body($0.boolValue) }
    return unsafeBitCast(block, to: AnyObject.self)
  }

  /// Of enumerations and option sets, by their raw value.
  static func integer(_ block: AnyObject?) -> (UInt) -> Void {
    guard let block else { return { _ in } }
    return unsafeBitCast(block, to: (@convention(block) (UInt) -> Void).self)
  }

  static func integer(_ body: @escaping @Sendable (UInt) -> Void) -> AnyObject {
    let block: @convention(block) (UInt) -> Void = body
    return unsafeBitCast(block, to: AnyObject.self)
  }

  static func object(_ block: AnyObject?) -> (AnyObject?) -> Void {
    guard let block else { return { _ in } }
    return unsafeBitCast(block, to: (@convention(block) (AnyObject?) -> Void).self)
  }

  static func object(_ body: @escaping @Sendable (AnyObject?) -> Void) -> AnyObject {
    let block: @convention(block) (AnyObject?) -> Void = body
    return unsafeBitCast(block, to: AnyObject.self)
  }
}
#endif
