import CoreDataStore

/// A list of results that is updated with the changes of its context.
protocol LiveResultsObserver: AnyObject {
    /// Updates the list for changes in the context.
    func take(_ changes: LiveChanges)
    /// Replaces the identifier of a record: the temporary one with the permanent one.
    func rename(_ place: RowKey, to address: RowAddress)
}

/// The lists that are updated with a context's changes, referenced weakly, and the changes of which they have not been
/// notified.
///
/// Used on the context's queue.
final class LiveResults {
    private struct Follower {
        weak var list: (any LiveResultsObserver)?
    }

    private var followers: [Follower] = []
    private var waiting = LiveChanges()

    /// Whether there are no followers to notify.
    var isEmpty: Bool { followers.isEmpty }

    func add(_ list: any LiveResultsObserver) {
        followers.removeAll { $0.list == nil || $0.list === list }
        followers.append(Follower(list: list))
    }

    /// Adds inserted, changed, refreshed or deleted objects to the next notification.
    func note(_ objects: some Sequence<NSManagedObject>) {
        if !isEmpty { waiting.objects += objects }
    }

    /// Adds records changed in the store, without an object here, to the next notification.
    func note(_ records: some Sequence<RowAddress>) {
        if !isEmpty { waiting.records += records }
    }

    /// Adds records deleted in the store, without an object here, to the next notification.
    func noteGone(_ records: some Sequence<RowAddress>) {
        if !isEmpty { waiting.goneRecords += records }
    }

    /// Adds a completed save to the next notification.
    func noteSave() {
        if !isEmpty { waiting.isSave = true }
    }

    /// Makes the next notification request that every list be fetched again.
    func noteAll() {
        if !isEmpty { waiting.concernsAll = true }
    }

    /// Replaces the next notification with one that the context was reset.
    func noteReset() {
        guard !isEmpty else { return }
        waiting = LiveChanges()
        waiting.concernsAll = true
        waiting.replacesObjects = true
    }

    /// Notifies each list of all changes noted since the last call.
    func notify() {
        guard !waiting.isEmpty else { return }
        let changes = waiting
        waiting = LiveChanges()
        let lists = followers.compactMap(\.list)
        if lists.count < followers.count { followers.removeAll { $0.list == nil } }
        for list in lists { list.take(changes) }
    }

    /// Gives a record a new identifier in each list, and notes that identifiers have changed.
    func rename(_ place: RowKey, to address: RowAddress) {
        for follower in followers { follower.list?.rename(place, to: address) }
        if !isEmpty { waiting.hasNewIdentifiers = true }
    }
}

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
    /// Whether identifiers of records have changed.
    var hasNewIdentifiers = false
    /// Whether the context has been saved.
    var isSave = false
    /// Whether the context was reset, so that its former objects cannot be used any more.
    var replacesObjects = false

    var isEmpty: Bool {
        objects.isEmpty && records.isEmpty && goneRecords.isEmpty && !concernsAll && !isSave && !hasNewIdentifiers
    }
}
