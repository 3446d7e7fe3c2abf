import CoreDataStore

/// A record that was changed both in a context and, since the context read it, by another context or process.
///
/// If another context of the same coordinator saved the record, or has read it since it was changed, `cachedSnapshot` has
/// its values and `persistedSnapshot` is nil. Otherwise `cachedSnapshot` has the values that the context's coordinator last
/// read, and `persistedSnapshot` those of the store. For a deleted record the new version is 0, and the snapshot of the
/// later values is nil. Snapshots have a value for each attribute and to-one relationship: identifiers of related objects,
/// `NSNull` for nil. To-many relationships are not in the snapshots: after a change of one, or a write of equal values,
/// snapshots may be equal although the versions differ.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as CocoaError {
///     for conflict in error.persistentStoreSaveConflicts ?? [] {
///         let stored = conflict.newVersionNumber == 0 ? nil : conflict.persistedSnapshot ?? conflict.cachedSnapshot
///         print(conflict.sourceObject.objectID, "is stored as", stored ?? [:])
///     }
/// }
/// ```
open class NSMergeConflict: NSObject, @unchecked Sendable {
    /// The object whose changes could not be saved.
    open private(set) var sourceObject: NSManagedObject
    /// The values that the object had when its context last read or saved it.
    open private(set) var objectSnapshot: [String: Any]?
    /// The values in the coordinator's row cache.
    open private(set) var cachedSnapshot: [String: Any]?
    /// The values in the store; nil if they are those of `cachedSnapshot`, or the record was deleted.
    open private(set) var persistedSnapshot: [String: Any]?
    /// The present version of the record; 0 if it was deleted.
    open private(set) var newVersionNumber: Int
    /// The version that the object's changes are based on.
    open private(set) var oldVersionNumber: Int
    /// The store's present row, if a save made the conflict.
    private let knownRow: RowSnapshot?
    /// What the context had changed of the object when the conflict was found.
    private let change: ConflictingChange

    /// One line without values, such as `Song/p1, version 1 to 2: title (both), artist (store)`. May be read on any thread.
    ///
    /// It has the last two parts of the object's URI, the versions, and the names of the properties that differ, each with
    /// who changed it: the context, the store or both. A deleted record is `Song/p1, deleted in the store`.
    open override var description: String { change.text(of: self) }

    /// Makes a conflict of an object.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot: [String: Any]?, persistedSnapshot: [String: Any]?
    ) {
        sourceObject = srcObject
        objectSnapshot = srcObject.committedSnapshot
        self.cachedSnapshot = cachedSnapshot
        self.persistedSnapshot = persistedSnapshot
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        knownRow = nil
        change = ConflictingChange(of: srcObject)
        super.init()
    }

    /// Makes a conflict that a save found, with the store's present row; nil if the record was deleted.
    init(of object: NSManagedObject, row: RowSnapshot?, cached: [String: Any]?, persisted: [String: Any]?) {
        sourceObject = object
        objectSnapshot = object.committedSnapshot
        cachedSnapshot = cached
        persistedSnapshot = persisted
        newVersionNumber = Int(row?.version ?? 0)
        oldVersionNumber = Int(object.snapshotVersion)
        knownRow = row
        change = ConflictingChange(of: object)
        super.init()
    }

    /// Returns the store's row to merge the object with; nil if there is none. Reads it if the program made the
    /// conflict.
    ///
    /// - Throws: the store's error.
    func row() throws -> RowSnapshot? {
        guard newVersionNumber != 0 else { return nil }
        return try knownRow ?? sourceObject.binding.store?.storedRow(sourceObject.binding, key: sourceObject.key)
    }
}
