// The declarations that the Objective-C blocks of ObjectiveC.md use but do not show.

@import AppHost;
@import UIKit;
#import "registry_objc.h"

@protocol Clock
@end

@interface LegacyModule : NSObject
@end

@interface LegacyModule (Declarations)
- (void)openDatabase;
- (BOOL)open:(NSURL *)url;
@end

@interface StoryModule : NSObject
@end

@interface StoryModule (Declarations)
- (void)fetch:(NSDictionary *)story completion:(void (^)(BOOL isNew))completion;
@end
