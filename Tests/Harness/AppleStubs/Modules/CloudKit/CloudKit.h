// The part of CloudKit that the package uses.
#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/cloudkit/ckshare
// and CKShare.h of iOS 27.0
@interface CKShare : NSObject
- (instancetype)init NS_UNAVAILABLE;
@end

// SOURCE: https://developer.apple.com/documentation/cloudkit/ckshare/metadata
// and CKShareMetadata.h of iOS 27.0
NS_SWIFT_NAME(CKShare.Metadata)
@interface CKShareMetadata : NSObject
@property(atomic, readonly, copy) NSString *containerIdentifier;
@property(atomic, readonly, copy) CKShare *share;
@end

NS_HEADER_AUDIT_END
