public import Registry

/// A service that loops look up, with a class-bound protocol in a separate module.
public protocol Adder: AnyObject, Sendable {
  func add(_ value: Int) -> Int
}

/// A second service, so that two threads can use separate services.
public protocol OtherAdder: AnyObject, Sendable {
  // The requirement gives `add` a different index than in `Adder`. Otherwise, the compiler would
  // merge the loops for both protocols into one function with parameters, unlike an ordinary
  // lookup.
  var amount: Int { get }
  func add(_ value: Int) -> Int
}

/// The implementation of both services.
///
/// It's exported so that `Injected` finds its service whenever a module manager starts.
@ExportService((any Adder).self, scope: .shared)
public final class StepAdder: Adder, OtherAdder {
  /// The number that an adder adds. A loop's checksum is this number times the count.
  public static let step = 3
  public let amount = StepAdder.step

  public init() {}

  public func add(_ value: Int) -> Int { value &+ amount }
}

/// A constant that a program without a registry would use, in a separate module.
///
/// Clients read it through its accessor, and the compiler doesn't know its value.
public let adder: any Adder = StepAdder()
