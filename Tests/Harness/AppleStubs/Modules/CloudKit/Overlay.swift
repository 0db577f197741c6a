@_exported import CloudKit
@_exported import Foundation
