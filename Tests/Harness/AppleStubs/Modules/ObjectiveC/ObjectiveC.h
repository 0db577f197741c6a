// SOURCE of this file: objc.h and NSObject.h of objc4-951.1,
// github:apple-oss-distributions/objc4.
//
// The declarations of objc.h and NSObject.h that the package and the samples use.
#pragma once
#include "Macros.h"

// On devices, BOOL is a C bool, and type encodings depend on that.
#if __OBJC_BOOL_IS_BOOL
typedef _Bool BOOL;
#else
typedef signed char BOOL;
#endif
#define YES ((BOOL)1)
#define NO ((BOOL)0)

typedef long NSInteger;
typedef unsigned long NSUInteger;

@class NSString, Protocol;

@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property(readonly) NSUInteger hash;
@property(readonly, nullable) Class superclass;
- (nonnull Class)class __attribute__((availability(swift, unavailable, message = "use 'type(of: anObject)' instead")));
- (nonnull instancetype)self;
- (BOOL)isProxy;
- (BOOL)isKindOfClass:(nonnull Class)aClass;
- (BOOL)isMemberOfClass:(nonnull Class)aClass;
- (BOOL)conformsToProtocol:(nonnull Protocol *)aProtocol;
- (BOOL)respondsToSelector:(null_unspecified SEL)aSelector;
@property(readonly, copy, nonnull) NSString *description;
@optional
@property(readonly, copy, nonnull) NSString *debugDescription;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject> {
  Class isa;
}
+ (void)load;
+ (void)initialize;
- (nonnull instancetype)init NS_DESIGNATED_INITIALIZER;
- (nonnull id)copy;
+ (BOOL)instancesRespondToSelector:(null_unspecified SEL)aSelector;
+ (BOOL)conformsToProtocol:(nonnull Protocol *)protocol;
- (nullable id)forwardingTargetForSelector:(null_unspecified SEL)aSelector;
+ (BOOL)resolveClassMethod:(null_unspecified SEL)sel;
+ (BOOL)resolveInstanceMethod:(null_unspecified SEL)sel;
- (void)doesNotRecognizeSelector:(null_unspecified SEL)aSelector;
+ (NSUInteger)hash;
+ (nullable Class)superclass;
+ (nonnull Class)class __attribute__((availability(swift, unavailable, message = "use 'aClass.self' instead")));
+ (nonnull NSString *)description;
@end
