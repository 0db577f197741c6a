// The declarations that the Objective-C blocks of Diagnostics.md use but do not show.

@import AppHost;

@interface LegacyPlayerModule : NSObject
@end
