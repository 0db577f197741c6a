// The part of CloudKit that the package uses.
#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

@interface CKShare : NSObject
- (instancetype)init NS_UNAVAILABLE;
@end

NS_SWIFT_NAME(CKShare.Metadata)
@interface CKShareMetadata : NSObject
@property(atomic, readonly, copy) NSString *containerIdentifier;
@property(atomic, readonly, copy) CKShare *share;
@end

NS_HEADER_AUDIT_END
