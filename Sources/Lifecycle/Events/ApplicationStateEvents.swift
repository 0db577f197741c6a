// Events for all kinds of processes. AppHost triggers them in apps, ProcessHost in servers and
// tools.

extension Event where Payload == Void, Outcome == Void {
  /// An event that is triggered when the app has become active.
  ///
  /// It corresponds to `applicationDidBecomeActive(_:)` in UIKit and AppKit and to
  /// `applicationDidBecomeActive()` in WatchKit.
  public static var didBecomeActive: Self { .init("app.didBecomeActive") }

  /// An event that is triggered when the app is about to become inactive.
  ///
  /// It corresponds to `applicationWillResignActive(_:)` in UIKit and AppKit and to
  /// `applicationWillResignActive()` in WatchKit.
  public static var willResignActive: Self { .init("app.willResignActive") }

  /// An event that is triggered when the app has entered the background.
  ///
  /// It corresponds to `applicationDidEnterBackground(_:)` in UIKit and to
  /// `applicationDidEnterBackground()` in WatchKit.
  public static var didEnterBackground: Self { .init("app.didEnterBackground") }

  /// An event that is triggered when the app is about to enter the foreground.
  ///
  /// It corresponds to `applicationWillEnterForeground(_:)` in UIKit and to
  /// `applicationWillEnterForeground()` in WatchKit. With scenes, UIKit also reports it at launch.
  public static var willEnterForeground: Self { .init("app.willEnterForeground") }

  /// An event that is triggered when the app is about to terminate.
  ///
  /// It corresponds to `applicationWillTerminate(_:)` in UIKit and AppKit.
  public static var willTerminate: Self { .init("app.willTerminate") }
}
