public import Registry

/// What the look-ups look up: a class-bound protocol of another module.
public protocol Adder: AnyObject, Sendable {
  func add(_ value: Int) -> Int
}

public final class StepAdder: Adder {
  private let step: Int

  public init(_ step: Int) {
    self.step = step
  }

  public func add(_ value: Int) -> Int { value &+ step }
}

/// What a program without a registry would write: a constant of another module, read through its accessor.
public let adder: any Adder = StepAdder(3)

/// A second service, for two threads on two services.
public protocol OtherAdder: AnyObject, Sendable {
  func add(_ value: Int) -> Int
}

extension StepAdder: OtherAdder {}

public protocol Letter {
  func weight(_ value: Int) -> Int
}

extension SmallParcel: Letter {}

/// A service that is made anew for every look-up.
public protocol Parcel {
  func weight(_ value: Int) -> Int
}

@ExportService((any Parcel).self)
public final class SmallParcel: Parcel {
  private let step = 3

  public init() {}

  public func weight(_ value: Int) -> Int { value &+ step }
}
