// The part of objc.h, NSObject.h, and runtime.h that the package and its pages use.
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
- (BOOL)respondsToSelector:(null_unspecified SEL)aSelector;
@property(readonly, copy, nonnull) NSString *description;
@optional
@property(readonly, copy, nonnull) NSString *debugDescription;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject> {
  Class isa;
}
- (nonnull instancetype)init NS_DESIGNATED_INITIALIZER;
- (nonnull id)copy;
- (nullable id)forwardingTargetForSelector:(null_unspecified SEL)aSelector;
+ (nonnull Class)class __attribute__((availability(swift, unavailable, message = "use 'aClass.self' instead")));
@end

typedef struct objc_method *Method;
typedef void (*IMP)(void);

struct objc_method_description {
  SEL _Nullable name;
  char *_Nullable types;
};

Class _Nullable object_getClass(id _Nullable obj);

Class _Nullable class_getSuperclass(Class _Nullable cls);
Method _Nullable class_getInstanceMethod(Class _Nullable cls, SEL _Nonnull name);
IMP _Nullable class_getMethodImplementation(Class _Nullable cls, SEL _Nonnull name);
IMP _Nullable class_replaceMethod(Class _Nullable cls, SEL _Nonnull name, IMP _Nonnull imp,
                                  const char *_Nullable types);

IMP _Nonnull method_getImplementation(Method _Nonnull m);
const char *_Nullable method_getTypeEncoding(Method _Nonnull m);

struct objc_method_description protocol_getMethodDescription(Protocol *_Nonnull proto, SEL _Nonnull aSel,
                                                             BOOL isRequiredMethod, BOOL isInstanceMethod);

IMP _Nonnull imp_implementationWithBlock(id _Nonnull block);
