import CoreDataStore

/// Resolves the conflicts of a save with records that were changed elsewhere, or that already have values that must be unique.
///
/// A subclass overrides one of the `resolve` methods, may change or refresh the objects of the conflicts, may call
/// `super`, and throws for unresolved conflicts. They are called on the context's queue while the store is not locked;
/// saving the context in one of them is refused. A policy's changes are validated and saved, and are a separate undo
/// step. A save that fails reverts them all. They are not called for a save into a parent context: there only `mergeType`
/// counts, for changed objects that the parent has deleted.
///
/// ```swift
/// final class ReportingPolicy: NSMergePolicy, @unchecked Sendable {
///     override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
///         for conflict in list { print("saved elsewhere too: \(conflict.sourceObject.objectID)") }
///         try super.resolve(optimisticLockingConflicts: list)
///     }
/// }
/// context.mergePolicy = ReportingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
/// ```
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// The kind of policy.
    open private(set) var mergeType: NSMergePolicyType

    /// Makes a policy of a kind.
    public init(merge type: NSMergePolicyType) {
        mergeType = type
        super.init()
    }

    /// Resolves conflicts of both kinds: first those of versions, then those of unique values.
    ///
    /// Objects other than `NSMergeConflict` and `NSConstraintConflict` are ignored.
    /// - Throws: what the methods for the two kinds throw.
    open func resolve(mergeConflicts list: [Any]) throws {
        let locking = list.compactMap { $0 as? NSMergeConflict }
        if !locking.isEmpty { try resolve(optimisticLockingConflicts: locking) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves conflicts of objects whose records were changed or deleted meanwhile.
    ///
    /// - Throws: `NSManagedObjectMergeError` with the conflicts, by the error policy.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw CoreDataError.conflicts(list) }
        try LockingResolution(mergeType).resolve(list)
    }

    /// Resolves conflicts of objects that have the same values of properties that must be unique together.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` with the conflicts, by the error policy.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw CoreDataError.constraintConflicts(list) }
        ConstraintResolution(mergeType).resolve(list)
    }

    /// Refuses the save with an error.
    public class var error: NSMergePolicy { errorPolicy }
    /// Property by property: where both sides changed it the store's value is taken.
    public class var mergeByPropertyStoreTrump: NSMergePolicy { storeTrumpPolicy }
    /// Property by property: where both sides changed it the context's value is written.
    public class var mergeByPropertyObjectTrump: NSMergePolicy { objectTrumpPolicy }
    /// All values of the context's objects are written.
    public class var overwrite: NSMergePolicy { overwritePolicy }
    /// The store's records are taken, and the changes of the context's objects dropped.
    public class var rollback: NSMergePolicy { rollbackPolicy }

    private static let errorPolicy = NSMergePolicy(merge: .errorMergePolicyType)
    private static let storeTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    private static let objectTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    private static let overwritePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
    private static let rollbackPolicy = NSMergePolicy(merge: .rollbackMergePolicyType)
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
/// Property by property: where both sides changed it the store's value is taken.
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// Property by property: where both sides changed it the context's value is written.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// All values of the context's objects are written.
public let NSOverwriteMergePolicy = NSMergePolicy.overwrite
/// The store's records are taken, and the changes of the context's objects dropped.
public let NSRollbackMergePolicy = NSMergePolicy.rollback

extension NSManagedObjectContext {
    /// The policy that decides conflicts: what is not a policy counts as the one that refuses.
    var decidingPolicy: NSMergePolicy { mergePolicy as? NSMergePolicy ?? NSMergePolicy.error }
    var defaultMergePolicy: Any { NSErrorMergePolicy }
}
