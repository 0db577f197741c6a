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

  /// Converts a block that takes the raw value of an enumeration or option set.
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
