// The part of Foundation's Objective-C headers that the package and the other stand-ins use.
#pragma once
#include <ObjectiveC/ObjectiveC.h>

NS_HEADER_AUDIT_BEGIN

NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(Swift.String)
@interface NSString : NSObject
@end

NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(FoundationEssentials.URL)
@interface NSURL : NSObject
@end

NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(FoundationEssentials.Data)
@interface NSData : NSObject
@end

NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(FoundationEssentials.Date)
@interface NSDate : NSObject
@end

@interface NSObject (NSKeyValueCoding)
- (nullable id)valueForKey:(NSString *)key;
- (void)setValue:(nullable id)value forKey:(NSString *)key;
@end

@interface NSCoder : NSObject
@end

@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end

NS_SWIFT_BRIDGE(Swift.Array)
@interface NSArray<__covariant ObjectType> : NSObject
@end

NS_SWIFT_BRIDGE(Swift.Dictionary)
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject
@end

NS_SWIFT_BRIDGE(Swift.Set)
@interface NSSet<__covariant ObjectType> : NSObject
@end

NS_SWIFT_SENDABLE
@interface NSValue : NSObject
@property(readonly) const char *objCType;
@end

NS_SWIFT_SENDABLE
@interface NSNumber : NSValue
- (NSNumber *)initWithBool:(BOOL)value NS_SWIFT_NAME(init(value:));
@property(readonly) BOOL boolValue;
@property(readonly) double doubleValue;
@end

NS_SWIFT_SENDABLE
@interface NSNull : NSObject
+ (NSNull *)null;
@end

typedef NSString *NSErrorDomain;
typedef NSString *NSErrorUserInfoKey;

NS_SWIFT_SENDABLE NS_SWIFT_BRIDGE(Swift.Error)
@interface NSError : NSObject
- (instancetype)initWithDomain:(NSErrorDomain)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)dict NS_DESIGNATED_INITIALIZER;
@property(readonly, copy) NSErrorDomain domain;
@property(readonly) NSInteger code;
@property(readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
@end

@class NSNotification, NSOperationQueue;

typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);

NS_SWIFT_BRIDGE(Foundation.Notification)
@interface NSNotification : NSObject
@property(readonly, copy) NSNotificationName name;
@property(nullable, readonly, retain) id object;
@property(nullable, readonly, copy) NSDictionary *userInfo;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property(nullable, readonly, copy) NSString *bundleIdentifier;
@property(nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(NotificationCenter)
@interface NSNotificationCenter : NSObject
@property(class, readonly, strong) NSNotificationCenter *defaultCenter NS_SWIFT_NAME(default);
- (void)addObserver:(id)observer
           selector:(SEL)aSelector
               name:(nullable NSNotificationName)aName
             object:(nullable id)anObject;
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)obj
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void(NS_SWIFT_SENDABLE ^)(NSNotification *notification))block;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@property(class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@end

@interface NSUserActivity : NSObject
- (instancetype)initWithActivityType:(NSString *)activityType NS_DESIGNATED_INITIALIZER;
@property(readonly, copy) NSString *activityType;
@property(nullable, copy) NSString *title;
@property(nullable, copy) NSDictionary *userInfo;
@property(nullable, copy) NSURL *webpageURL;
@property(nullable, copy) NSURL *referrerURL;
- (void)addUserInfoEntriesFromDictionary:(NSDictionary *)otherDictionary;
@end

extern NSString *const NSUserActivityTypeBrowsingWeb;

extern NSString *NSStringFromSelector(SEL aSelector);
extern SEL NSSelectorFromString(NSString *aSelectorName);
extern NSString *NSStringFromClass(Class aClass);
extern Class _Nullable NSClassFromString(NSString *aClassName);
extern NSString *NSStringFromProtocol(Protocol *proto);
extern Protocol *_Nullable NSProtocolFromString(NSString *namestr);

NS_HEADER_AUDIT_END
