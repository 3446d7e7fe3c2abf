import CoreDataStore

/// The changes in a context that its observing lists are notified of: objects and records that may have changed.
struct LiveChanges {
    /// Objects that were inserted, changed, refreshed or deleted.
    var objects: [NSManagedObject] = []
    /// Records changed in the store without an object in the context.
    var records: [RowAddress] = []
    /// Records deleted in the store without an object in the context.
    var goneRecords: [RowAddress] = []
    /// Whether anything may have changed, so that every list must be fetched again.
    var concernsAll = false
    /// Whether records are called otherwise.
    var hasNewIdentifiers = false
    /// Whether the context has been saved.
    var isSave = false
    /// Whether the context was reset: the objects that there were cannot be used any more.
    var replacesObjects = false

    var isEmpty: Bool {
        objects.isEmpty && records.isEmpty && goneRecords.isEmpty && !concernsAll && !isSave && !hasNewIdentifiers
    }
}
