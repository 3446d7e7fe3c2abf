import CoreDataStore

/// A record that was changed both in a context and, since the context read it, by another context or process.
///
/// Between the context and the coordinator `persistedSnapshot` is nil and `cachedSnapshot` has the present values, since
/// another context of the same coordinator wrote them or has read them since. Between the coordinator and the store the
/// latter is what the coordinator read, and the former what the store has. For a deleted record the new version is 0, and
/// the later snapshot is nil. Snapshots have a value for each attribute and to-one relationship: identifiers of related
/// objects, `NSNull` for nil. To-many relationships are not in the snapshots: after a change of one, or a write of equal
/// values, snapshots may be equal although the versions differ.
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
    /// The values that the coordinator knows.
    open private(set) var cachedSnapshot: [String: Any]?
    /// The values that the store has.
    open private(set) var persistedSnapshot: [String: Any]?
    /// The version that the record has by now; 0 when it is gone.
    open private(set) var newVersionNumber: Int
    /// The version that the object's changes are based on.
    open private(set) var oldVersionNumber: Int
    /// The row that the store has, where the conflict was met by a save.
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

    /// Makes a conflict of an object with the row that the store has.
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

    /// The row that the object is to be merged with; nil if the record does not exist.
    ///
    /// - Throws: what reading throws, if the conflict does not come from a save.
    func row() throws -> RowSnapshot? {
        guard newVersionNumber != 0 else { return nil }
        return try knownRow ?? sourceObject.binding.store?.storedRow(sourceObject.binding, key: sourceObject.key)
    }
}
