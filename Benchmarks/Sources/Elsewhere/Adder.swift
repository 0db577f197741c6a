public import Registry

/// A service that loops look up, with a class-bound protocol of another module.
public protocol Adder: AnyObject, Sendable {
  func add(_ value: Int) -> Int
}

/// A second service, so that two threads can use separate services.
public protocol OtherAdder: AnyObject, Sendable {
  // The requirement gives `add` another index than in `Adder`. Otherwise, the compiler would merge
  // the loops for both protocols into one function with parameters, which differs from an ordinary
  // lookup.
  var amount: Int { get }
  func add(_ value: Int) -> Int
}

/// The implementation of both services.
///
/// It is exported to satisfy the need of `Injected` whenever a manager of modules starts.
@ExportService((any Adder).self, scope: .shared)
public final class StepAdder: Adder, OtherAdder {
  /// The number that an adder adds. The checksum of a loop is the product of it and the count.
  public static let step = 3
  public let amount = StepAdder.step

  public init() {}

  public func add(_ value: Int) -> Int { value &+ amount }
}

/// A constant of another module, which a program without a registry would use.
///
/// Clients read it through its accessor, and the compiler does not know its value there.
public let adder: any Adder = StepAdder()
