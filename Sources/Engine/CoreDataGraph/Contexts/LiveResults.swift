import CoreDataStore

/// A list of results that follows the changes of its context.
protocol LiveResultsObserver: AnyObject {
    /// Takes over what has happened in the context.
    func take(_ changes: LiveChanges)
    /// Calls a record otherwise from now on.
    func rename(_ place: RowKey, to address: RowAddress)
}

/// The lists that follow a context's changes, referenced weakly, and the changes that they have not been notified of yet.
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

    /// Adds to the next notification.
    func note(_ objects: some Sequence<NSManagedObject>) {
        if !isEmpty { waiting.objects += objects }
    }

    /// Adds to the next notification.
    func note(_ records: some Sequence<RowAddress>) {
        if !isEmpty { waiting.records += records }
    }

    /// Adds to the next notification.
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

    /// Lets every list know that the context was reset, instead of all that was noted.
    func noteReset() {
        guard !isEmpty else { return }
        waiting = LiveChanges()
        waiting.concernsAll = true
        waiting.replacesObjects = true
    }

    /// Notifies each list of all that was noted.
    func notify() {
        guard !waiting.isEmpty else { return }
        let changes = waiting
        waiting = LiveChanges()
        let lists = followers.compactMap(\.list)
        if lists.count < followers.count { followers.removeAll { $0.list == nil } }
        for list in lists { list.take(changes) }
    }

    /// Notes that records have new identifiers from now on.
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
    /// Whether the context was reset: the objects that there were cannot be used any more.
    var replacesObjects = false

    var isEmpty: Bool {
        objects.isEmpty && records.isEmpty && goneRecords.isEmpty && !concernsAll && !isSave && !hasNewIdentifiers
    }
}
