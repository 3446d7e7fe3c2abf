import CoreDataModeling

/// What to do when a record was changed by somebody else since it was read.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// The kind of policy.
    public let mergeType: NSMergePolicyType

    /// Makes a policy of a kind.
    public init(merge type: NSMergePolicyType) {
        mergeType = type
        super.init()
    }

    /// Refuses the save with an error.
    public static let error = NSMergePolicy(merge: .errorMergePolicyType)
}

/// The kinds of merge policies.
public enum NSMergePolicyType: UInt, Sendable {
    /// Refuse the save.
    case errorMergePolicyType = 0
    /// Property by property, the store's change wins.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property, the context's change wins.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The context's objects replace the store's.
    case overwriteMergePolicyType = 3
    /// The store's objects replace the context's.
    case rollbackMergePolicyType = 4
}

/// Refuses the save with an error.
public let NSErrorMergePolicy = NSMergePolicy.error
