import CoreDataStore
import Dispatch
import Synchronization

/// Detects commits to one store, and reports them: posts `NSPersistentStoreRemoteChange` if an option requests that,
/// and passes the changes of others to the contexts that merge changes automatically.
///
/// | observer | own commits | others' commits |
/// |---|---|---|
/// | none | nothing | nothing; the file is not watched |
/// | the store's option for remote changes | a notification | a notification |
/// | contexts that merge changes, if the store has history | nothing: saves notify them | the changes in the history |
///
/// May be used from any thread. Notifications and changes come in the order of the commits, on the monitor's queue.
final class RemoteChangeMonitor: Sendable {
    private struct State {
        var isWatching = false
        /// Whether others have committed something that has not been reported yet.
        var isBehind = false
        /// The number of the last transaction of the history whose changes have been reported.
        var seen: Int64 = 0
        /// The numbers of later transactions of this coordinator.
        var own: Set<Int64> = []
        /// The store's count of metadata changes by others when metadata changes were last reported.
        var metadataChanges = 0
        /// The number of times that watching has begun: polling ends when watching has ended or begun again.
        var beginnings = 0
    }

    private static let pollingInterval = DispatchTimeInterval.seconds(1)

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "CoreData.RemoteChangeMonitor")

    // MARK: Beginning and ending

    /// Begins to watch the store if others' commits have an observer, and ends watching otherwise.
    func update(_ store: NSPersistentStore) {
        let isWanted = store.isFollowed
        guard isWanted != state.withLock({ $0.isWatching }) else { return }
        store.serialized { isWanted ? start(store) : stop(store) }
    }

    private func start(_ store: NSPersistentStore) {
        guard let watching = store.objects?.changeWatching else { return }
        let newest = (try? store.objects?.history?.historyExtent().newest) ?? 0
        // Metadata that others have written before is not reported.
        try? store.adoptForeignMetadata()
        let metadataChanges = store.foreignMetadataChanges
        let isNew = state.withLock { state in
            guard !state.isWatching else { return false }
            state = State(
                isWatching: true, seen: newest, metadataChanges: metadataChanges, beginnings: state.beginnings + 1)
            return true
        }
        guard isNew else { return }
        _ = try? watching.takeForeignCommit()
        let look: @Sendable () -> Void = { [weak self, weak store] in
            guard let self, let store else { return }
            queue.async { self.look(at: store) }
        }
        if !watching.watchWrites(look) { poll(store, state.withLock { $0.beginnings }) }
    }

    /// Checks for commits periodically, if the system does not report writes.
    private func poll(_ store: NSPersistentStore, _ beginning: Int) {
        queue.asyncAfter(deadline: .now() + Self.pollingInterval) { [weak self, weak store] in
            guard let self, let store, state.withLock({ $0.isWatching && $0.beginnings == beginning }) else { return }
            look(at: store)
            poll(store, beginning)
        }
    }

    private func stop(_ store: NSPersistentStore) {
        store.objects?.changeWatching?.watchWrites(nil)
        state.withLock { $0 = State(beginnings: $0.beginnings) }
    }

    // MARK: Own commits

    /// Records a commit of this coordinator, and posts it if an option requests that; `position` is the number for the
    /// notification's token. Called while the store is locked.
    func noteCommit(_ transaction: Int64?, announcing position: Int64?, in store: NSPersistentStore) {
        state.withLock { state in
            if state.isWatching, let transaction { state.own.insert(transaction) }
        }
        if transaction != nil { store.historyTrimmer.noteCommit(in: store) }
        guard store.postsRemoteChanges else { return }
        post(Notice(store, position))
    }

    /// Called while the store is locked, so that notices are queued in the order of the states that they report.
    private func post(_ notice: Notice) { queue.async { notice.post() } }

    // MARK: Others' commits

    private func look(at store: NSPersistentStore) {
        // A store that cannot be read now is checked after the next write.
        guard let changes = try? store.serialized({ try takeForeignChanges(of: store) }), !changes.isEmpty else {
            return
        }
        store.persistentStoreCoordinator?.mergeForeignChanges(changes)
    }

    /// Returns the changes that others have committed since the last check, and enqueues the notification. Called while
    /// the store is locked, on the monitor's queue, so that the notification is posted after the changes are merged.
    private func takeForeignChanges(of store: NSPersistentStore) throws -> SavedChanges? {
        guard let objects = store.objects, let watching = objects.changeWatching else { return nil }
        let isNew = try watching.takeForeignCommit()
        // If the changes cannot be read now, they are read at the next check.
        let isBehind = state.withLock { state in
            if isNew { state.isBehind = true }
            return state.isBehind
        }
        guard isBehind else { return nil }
        // The changes are reported even if the metadata cannot be read.
        try? store.adoptForeignMetadata()
        let metadataChanges = store.foreignMetadataChanges
        guard let history = objects.history else {
            state.withLock { $0.isBehind = false }
            if store.postsRemoteChanges { post(Notice(store, nil)) }
            return nil
        }
        let newest = try history.historyExtent().newest
        let (changes, hasForeign) = try changes(in: history, through: newest)
        let (hasTransactions, hasMetadata) = state.withLock { state in
            // The write may be another's checkpoint, or a commit that an earlier check already found. The newest
            // transaction has a lower number than the last one seen if an older copy of the store has replaced it.
            let hasTransactions = hasForeign || newest < state.seen
            state.isBehind = false
            state.seen = newest
            state.own = state.own.filter { $0 > newest }
            let hasMetadata = state.metadataChanges != metadataChanges
            state.metadataChanges = metadataChanges
            return (hasTransactions, hasMetadata)
        }
        if store.postsRemoteChanges, hasTransactions || hasMetadata {
            post(Notice(store, hasTransactions ? newest : nil))
        }
        return changes
    }

    /// Returns the changes of others since the last check, and whether they have made any transaction.
    private func changes(
        in history: any HistoryKeeping, through newest: Int64
    ) throws -> (changes: SavedChanges, hasForeign: Bool) {
        let (seen, own) = state.withLock { ($0.seen, $0.own) }
        var changes = SavedChanges()
        var hasForeign = false
        try history.readHistory(HistoryQuery(after: .number(seen), through: newest)) {
            guard !own.contains($0.number) else { return .next }
            hasForeign = true
            return .changes
        } change: { change in
            guard let identifier = change.address?.objectID else { return }
            switch change.kind {
            case .insert: changes.inserted.append(identifier)
            case .update: changes.updated.append(identifier)
            case .delete: changes.deleted.append(identifier)
            }
        }
        return (changes, hasForeign)
    }
}

/// A notification that is to be posted after a commit.
private struct Notice: Sendable {
    private let coordinator: ZeroingReference<NSPersistentStoreCoordinator>?
    private let identifier: String
    private let url: URL?
    private let token: NSPersistentHistoryToken?

    init(_ store: NSPersistentStore, _ transaction: Int64?) {
        coordinator = store.persistentStoreCoordinator?.zeroingReference
        identifier = store.identifier
        url = store.url
        token = transaction.map { NSPersistentHistoryToken([store.identifier: $0]) }
    }

    func post() {
        guard let coordinator = coordinator?.object else { return }
        var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier]
        userInfo[NSPersistentStoreURLKey] = url
        userInfo[NSPersistentHistoryTokenKey] = token
        NotificationCenter.default.post(
            name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }
}

extension NSPersistentStore {
    /// Whether others' commits have an observer.
    fileprivate var isFollowed: Bool {
        guard objects != nil, let coordinator = persistentStoreCoordinator else { return false }
        return postsRemoteChanges || objects?.history != nil && !coordinator.mergingContexts.isEmpty
    }
}

extension NSPersistentStoreCoordinator {
    /// Begins or ends watching of each store, by whether others' commits to it have an observer.
    func updateMonitors() {
        for store in persistentStores { store.remoteChanges.update(store) }
    }

    fileprivate func mergeForeignChanges(_ changes: SavedChanges) {
        operations.forgetRows(of: changes)
        for context in mergingContexts.members { context.operations.mergeLater(changes) }
    }
}
