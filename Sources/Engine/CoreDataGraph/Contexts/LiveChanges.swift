import CoreDataStore

/// What happened in a context, as lists that follow it are told: objects and records that may have changed.
struct LiveChanges {
    /// Objects that were inserted, changed, refreshed or deleted.
    var objects: [NSManagedObject] = []
    /// Records changed in the store that the context has no object of.
    var records: [RowAddress] = []
    /// Records deleted in the store that the context has no object of.
    var goneRecords: [RowAddress] = []
    /// Whether anything may have changed: every list is to be fetched again.
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
