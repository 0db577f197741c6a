// Events of every kind of process: AppHost triggers them in an app, ProcessHost in a server or tool.

extension Event where Payload == Void, Outcome == Void {
  /// The app is in front and gets events. UIKit, AppKit: `applicationDidBecomeActive(_:)`. WatchKit:
  /// `applicationDidBecomeActive()`.
  public static var didBecomeActive: Self { .init("app.didBecomeActive") }

  /// The app will not be in front any more. UIKit, AppKit: `applicationWillResignActive(_:)`. WatchKit:
  /// `applicationWillResignActive()`.
  public static var willResignActive: Self { .init("app.willResignActive") }

  /// The app is not seen any more. UIKit: `applicationDidEnterBackground(_:)`. WatchKit: `applicationDidEnterBackground()`.
  public static var didEnterBackground: Self { .init("app.didEnterBackground") }

  /// The app will be seen again. UIKit: `applicationWillEnterForeground(_:)`. WatchKit: `applicationWillEnterForeground()`.
  public static var willEnterForeground: Self { .init("app.willEnterForeground") }

  /// The app is about to end. UIKit, AppKit: `applicationWillTerminate(_:)`.
  public static var willTerminate: Self { .init("app.willTerminate") }
}
