// The part of BackgroundTasks that the pages use. Bodies are not compiled.
@_exported public import Dispatch
@_exported public import Foundation

// SOURCE: https://developer.apple.com/documentation/backgroundtasks/bgtask
// and BGTask.h of iOS 27.0
open class BGTask: NSObject {
  open var identifier: String { fatalError() }
  open var expirationHandler: (() -> Void)?
  open func setTaskCompleted(success: Bool) { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtask
// and BGTask.h of iOS 27.0
open class BGAppRefreshTask: BGTask {}

// SOURCE: https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler
// and BGTaskScheduler.h of iOS 27.0
open class BGTaskScheduler: NSObject {
  open class var shared: BGTaskScheduler { fatalError() }
  @discardableResult open func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
  ) -> Bool { fatalError() }
}
