// What delegates' hooks use of Foundation.
extension NSObject {
  public class func perform(_ selector: Selector!) -> Unmanaged<AnyObject>! { fatalError() }
  public func value(forKey key: String) -> Any? { fatalError() }
}

extension NSNumber {
  public convenience init(value: Bool) { fatalError() }
}

extension Int {
  public init?(exactly number: NSNumber) { fatalError() }
}
