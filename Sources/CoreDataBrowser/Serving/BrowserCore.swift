import CoreData
import Synchronization

/// What all pages share: the stores and applications that are shown, and the options.
///
/// It knows no page, so that pages can know it.
package final class BrowserCore: Sendable {
    package let options: BrowserOptions
    /// What tabs have staged.
    package let sessions: EditSessionRegistry
    /// The applications that are shown.
    package let apps = AppRegistry()
    /// The models that are shown.
    package let models = ModelRegistry()
    /// The recordings that are shown.
    package let traces = TraceRegistry()
    package let access: RequestGuard
    package let live = LiveEvents()
    /// Comparisons of stores, at work and kept.
    let comparisons = ComparisonRegistry()
    /// Files that tabs have sent.
    let uploads = UploadRegistry()
    private let stores = NumberedList<BrowsedStore>()
    private let orders: Mutex<[String: ListOrderCache]> = Mutex([:])

    init(options: BrowserOptions) {
        self.options = options
        access = RequestGuard(options)
        let folder = StateFolder(options)
        sessions = EditSessionRegistry { identifier, tab, adopts in
            let journal = try EditJournal(store: identifier, tab: tab, in: folder)
            if adopts { _ = try journal.adoptAbandoned(ofStore: identifier, in: folder) }
            return journal
        }
    }

    /// The stores that are shown, in the order in which they came.
    package var shown: [BrowsedStore] { stores.all }

    /// The store of a name in addresses.
    ///
    /// - Throws: `BrowserFailure` 404.
    package func store(_ id: String) throws -> BrowsedStore {
        guard let store = stores[id] else {
            throw BrowserFailure(404, "unknownStore", "no store has the number '\(id)'", hint: "the list is at /")
        }
        return store
    }

    /// The orders of a store's lists.
    package func orders(of store: BrowsedStore) -> ListOrderCache {
        orders.withLock { orders in
            if let known = orders[store.id] { return known }
            let made = ListOrderCache()
            orders[store.id] = made
            return made
        }
    }

    /// Opens a store's file again and lets all that was known of it go; tabs stage anew what their journals have.
    ///
    /// - Parameter work: what is done to the file while it is closed.
    /// - Throws: as `BrowsedStore.reopen` does.
    package func reopen(_ store: BrowsedStore, after work: () throws -> Void = {}) throws {
        let former = store.opened.store
        defer {
            if store.opened.store !== former || store.closingFailure != nil {
                sessions.end(in: store)
                orders.withLock { $0[store.id] = nil }
            }
        }
        try store.reopen(after: work)
        live.reopened(store)
    }

    /// Changes a store's file by a connection of its own. A file that is read whole when it is opened is closed meanwhile, and
    /// opened anew.
    ///
    /// - Throws: what `work` throws, and as `reopen` does.
    func changeFile<Result>(of store: BrowsedStore, _ work: () throws -> Result) throws -> Result {
        guard store.opened.store.type != NSSQLiteStoreType else { return try work() }
        var result: Swift.Result<Result, any Error>?
        try reopen(store) { result = Swift.Result { try work() } }
        guard let result else { throw CancellationError() }
        return try result.get()
    }

    /// Shows one more store, which `make` gets the number of.
    @discardableResult
    func show(_ make: (String) throws -> BrowsedStore) rethrows -> BrowsedStore {
        try stores.add(make)
    }
}
