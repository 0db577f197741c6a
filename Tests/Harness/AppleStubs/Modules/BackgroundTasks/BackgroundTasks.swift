// The part of BackgroundTasks that the pages use. Bodies are not compiled.
@_exported public import Dispatch
@_exported public import Foundation

open class BGTask: NSObject {
  open var identifier: String { fatalError() }
  open var expirationHandler: (() -> Void)?
  open func setTaskCompleted(success: Bool) { fatalError() }
}

open class BGTaskScheduler: NSObject {
  open class var shared: BGTaskScheduler { fatalError() }
  @discardableResult open func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
  ) -> Bool { fatalError() }
}
