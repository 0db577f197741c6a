/// What the look-ups look up: a class-bound protocol of another module.
public protocol Adder: AnyObject, Sendable {
  func add(_ value: Int) -> Int
}

/// A second service, for two threads on two services.
public protocol OtherAdder: AnyObject, Sendable {
  // Of another number than `Adder.add`: of loops over either the compiler would make one function, which is handed what
  // differs, and would no longer be what a look-up is elsewhere.
  var amount: Int { get }
  func add(_ value: Int) -> Int
}

public final class StepAdder: Adder, OtherAdder {
  /// What it adds: loops of look-ups come to this times their count.
  public static let step = 3
  public let amount = StepAdder.step

  public init() {}

  public func add(_ value: Int) -> Int { value &+ amount }
}

/// What a program without a registry would write: a constant of another module, read through its accessor. What it is
/// cannot be seen from there.
public let adder: any Adder = StepAdder()
