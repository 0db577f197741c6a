import Foundation
import Registry

extension LaunchOptions {
  /// Creates a payload from a launch in AppKit.
  ///
  /// A remote notification becomes ``notification``. Other values that can be converted are in
  /// ``others``, including the user info of a local notification. `convert` converts the value for
  /// `notificationKey`, or returns nil if the value has another type.
  init(desktop userInfo: [AnyHashable: Any], notificationKey: String, _ convert: (Any) -> UserNotification?) {
    self.init()
    for case (let key as String, let value) in userInfo {
      guard key == notificationKey, let opened = convert(value) else {
        others[key] = PropertyValue(value)
        continue
      }
      if opened.isRemote {
        notification = RemoteNotification(userInfo: opened.userInfo)
      } else {
        others[key] = .dictionary(opened.userInfo)
      }
    }
  }
}

extension OpenedURL {
  /// Creates a payload from a link in AppKit, which opens every file in place.
  init(desktop url: URL, scene: AppScene? = nil) {
    self.init(url, opensInPlace: url.isFileURL, scene: scene)
  }
}
