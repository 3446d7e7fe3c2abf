import CoreDataStore

/// Resolves the conflicts of a save: with records that were changed elsewhere, and with records or objects that already
/// have values of a uniqueness constraint.
///
/// A subclass overrides one of the `resolve` methods, which may change or refresh the objects of the conflicts, may
/// call `super`, and must throw for unresolved conflicts. A save calls them on the context's queue while the store is
/// not locked; they cannot save the context. A policy's changes are validated and saved with the other changes, and are
/// an undo step of their own. If the save fails, all of them are reverted. A save into a parent context does not call the
/// methods: there only `mergeType` counts, for changed objects that the parent has deleted.
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

    /// Resolves conflicts of objects whose records were changed or deleted elsewhere since the objects were read.
    ///
    /// - Throws: `NSManagedObjectMergeError` with the conflicts, if the policy is the error policy; the store's error,
    ///   if a row cannot be read.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw CoreDataError.conflicts(list) }
        try LockingResolution(mergeType).resolve(list)
    }

    /// Resolves conflicts of objects that have the same values of properties that must be unique together.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` with the conflicts, if the policy is the error policy.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw CoreDataError.constraintConflicts(list) }
        ConstraintResolution(mergeType).resolve(list)
    }

    /// Makes a save with conflicts fail with an error.
    public class var error: NSMergePolicy { errorPolicy }
    /// Merges property by property; where both the store and the object changed one, the store's value wins.
    public class var mergeByPropertyStoreTrump: NSMergePolicy { storeTrumpPolicy }
    /// Merges property by property; where both the store and the object changed one, the object's value wins.
    public class var mergeByPropertyObjectTrump: NSMergePolicy { objectTrumpPolicy }
    /// Saves all values of the context's objects over those of the store.
    public class var overwrite: NSMergePolicy { overwritePolicy }
    /// Drops the changes of the context's objects and gives them the store's values.
    public class var rollback: NSMergePolicy { rollbackPolicy }

    private static let errorPolicy = NSMergePolicy(merge: .errorMergePolicyType)
    private static let storeTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    private static let objectTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    private static let overwritePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
    private static let rollbackPolicy = NSMergePolicy(merge: .rollbackMergePolicyType)
}

/// The kinds of merge policies.
public enum NSMergePolicyType: UInt, Sendable {
    /// Makes a save with conflicts fail with an error.
    case errorMergePolicyType = 0
    /// Merges property by property; the store's change wins.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Merges property by property; the context's change wins.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// Saves all values of the context's objects over those of the store.
    case overwriteMergePolicyType = 3
    /// Drops the context's changes and gives its objects the store's values.
    case rollbackMergePolicyType = 4
}

/// Makes a save with conflicts fail with an error.
public let NSErrorMergePolicy = NSMergePolicy.error
/// Merges property by property; where both the store and the object changed one, the store's value wins.
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// Merges property by property; where both the store and the object changed one, the object's value wins.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// Saves all values of the context's objects over those of the store.
public let NSOverwriteMergePolicy = NSMergePolicy.overwrite
/// Drops the changes of the context's objects and gives them the store's values.
public let NSRollbackMergePolicy = NSMergePolicy.rollback

extension NSManagedObjectContext {
    /// The merge policy of the context; the error policy if `mergePolicy` is an object of another class.
    var decidingPolicy: NSMergePolicy { mergePolicy as? NSMergePolicy ?? NSMergePolicy.error }
    var defaultMergePolicy: Any { NSErrorMergePolicy }
}
