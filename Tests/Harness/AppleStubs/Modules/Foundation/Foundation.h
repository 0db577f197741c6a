// The declarations of Foundation's Objective-C headers that the package and the other stand-ins
// use.
#pragma once
#include <ObjectiveC/ObjectiveC.h>
#include <ObjectiveC/runtime.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/foundation/timeinterval
typedef double NSTimeInterval;

// SOURCE: https://developer.apple.com/documentation/foundation/nsstring
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(Swift.String)
@interface NSString : NSObject
@property(readonly) NSUInteger length;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsurl
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(FoundationEssentials.URL)
@interface NSURL : NSObject
@property(nullable, readonly, copy) NSString *absoluteString;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsdata
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(FoundationEssentials.Data)
@interface NSData : NSObject
@property(readonly) NSUInteger length;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsdate
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(FoundationEssentials.Date)
@interface NSDate : NSObject
@property(readonly) NSTimeInterval timeIntervalSinceReferenceDate;
@end

// SOURCE: https://developer.apple.com/documentation/objectivec/nskeyvaluecoding
@interface NSObject (NSKeyValueCoding)
- (nullable id)valueForKey:(NSString *)key;
- (void)setValue:(nullable id)value forKey:(NSString *)key;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nscoder
// and the bindings of objc2 for iOS 26.5
@interface NSCoder : NSObject
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nscoding
// and the bindings of objc2 for iOS 26.5
@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsarray
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_BRIDGE(Swift.Array)
@interface NSArray<__covariant ObjectType> : NSObject
@property(readonly) NSUInteger count;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsdictionary
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_BRIDGE(Swift.Dictionary)
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject
@property(readonly) NSUInteger count;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsset
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_BRIDGE(Swift.Set)
@interface NSSet<__covariant ObjectType> : NSObject
@property(readonly) NSUInteger count;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsvalue
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE
@interface NSValue : NSObject
@property(readonly) const char *objCType;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsnumber
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE
@interface NSNumber : NSValue
- (NSNumber *)initWithBool:(BOOL)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithInteger:(NSInteger)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedInteger:(NSUInteger)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithDouble:(double)value NS_SWIFT_NAME(init(value:));
@property(readonly) BOOL boolValue;
@property(readonly) NSInteger integerValue NS_SWIFT_NAME(intValue);
@property(readonly) double doubleValue;
@property(readonly, copy) NSString *stringValue;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsnull
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE
@interface NSNull : NSObject
+ (NSNull *)null;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nserror
typedef NSString *NSErrorDomain;
typedef NSString *NSErrorUserInfoKey;

// SOURCE: https://developer.apple.com/documentation/foundation/nserror
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(Swift.Error)
@interface NSError : NSObject
- (instancetype)initWithDomain:(NSErrorDomain)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)dict NS_DESIGNATED_INITIALIZER;
@property(readonly, copy) NSErrorDomain domain;
@property(readonly) NSInteger code;
@property(readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
@property(readonly, copy) NSString *localizedDescription;
@end

@class NSNotification, NSOperationQueue;

// SOURCE: https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct
// and NSNotification.h of iOS 27.0
typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);

// SOURCE: https://developer.apple.com/documentation/foundation/nsnotification
// and NSNotification.h of iOS 27.0
NS_SWIFT_BRIDGE(Foundation.Notification)
@interface NSNotification : NSObject
@property(readonly, copy) NSNotificationName name;
@property(nullable, readonly, retain) id object;
@property(nullable, readonly, copy) NSDictionary *userInfo;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/bundle
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property(nullable, readonly, copy) NSString *bundleIdentifier;
// https://developer.apple.com/documentation/foundation/bundle/infodictionary
@property(nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/notificationcenter
// and NSNotification.h of iOS 27.0
NS_SWIFT_SENDABLE NS_SWIFT_NAME(NotificationCenter)
@interface NSNotificationCenter : NSObject
@property(class, readonly, strong) NSNotificationCenter *defaultCenter NS_SWIFT_NAME(default);
- (void)addObserver:(id)observer
           selector:(SEL)aSelector
               name:(nullable NSNotificationName)aName
             object:(nullable id)anObject;
- (void)postNotificationName:(NSNotificationName)aName object:(nullable id)anObject;
- (void)postNotificationName:(NSNotificationName)aName
                      object:(nullable id)anObject
                    userInfo:(nullable NSDictionary *)aUserInfo;
- (void)removeObserver:(id)observer;
- (void)removeObserver:(id)observer name:(nullable NSNotificationName)aName object:(nullable id)anObject;
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)obj
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void(NS_SWIFT_SENDABLE ^)(NSNotification *notification))block;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/operationqueue
// and the bindings of objc2 for iOS 26.5
NS_SWIFT_SENDABLE NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@property(class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsuseractivity
// and NSUserActivity.h of iOS 27.0
@interface NSUserActivity : NSObject
- (instancetype)initWithActivityType:(NSString *)activityType NS_DESIGNATED_INITIALIZER;
@property(readonly, copy) NSString *activityType;
@property(nullable, copy) NSString *title;
@property(nullable, copy) NSDictionary *userInfo;
@property(nullable, copy) NSURL *webpageURL;
@property(nullable, copy) NSURL *referrerURL;
@property(nullable, copy) NSString *targetContentIdentifier;
- (void)addUserInfoEntriesFromDictionary:(NSDictionary *)otherDictionary;
@end

// SOURCE: https://developer.apple.com/documentation/foundation/nsuseractivitytypebrowsingweb
// and NSUserActivity.h of iOS 27.0
extern NSString *const NSUserActivityTypeBrowsingWeb;

// SOURCE: https://developer.apple.com/documentation/foundation/nsstringfromselector(_:)
// and its neighbors
extern NSString *NSStringFromSelector(SEL aSelector);
extern SEL NSSelectorFromString(NSString *aSelectorName);
extern NSString *NSStringFromClass(Class aClass);
extern Class _Nullable NSClassFromString(NSString *aClassName);
extern NSString *NSStringFromProtocol(Protocol *proto);
extern Protocol *_Nullable NSProtocolFromString(NSString *namestr);

NS_HEADER_AUDIT_END
