import CoreData
import Synchronization

/// The state that all pages share: the shown stores, applications, models and recordings, and the options.
///
/// It does not refer to any page, so that pages can refer to it without a cycle.
package final class BrowserCore: Sendable {
    package let options: BrowserOptions
    /// The edit sessions of tabs.
    package let sessions: EditSessionRegistry
    /// The applications that are shown.
    package let apps = AppRegistry()
    /// The models that are shown.
    package let models = ModelRegistry()
    /// The recordings that are shown.
    package let traces = TraceRegistry()
    package let access: RequestGuard
    package let live = LiveEvents()
    /// The running and the retained comparisons of stores.
    let comparisons = ComparisonRegistry()
    /// Files that tabs have sent.
    let uploads = UploadRegistry()
    /// Addresses of values for media elements.
    let tickets = ValueTickets()
    /// The stores that are connected with devices nearby.
    let meetings = NearbyMeetings()
    /// Thumbnails and details of pictures.
    let pictures: PictureShelf
    /// The files of tiles that maps offer.
    package let tiles: TileShelf
    /// Long work that was started from the page.
    let jobs: JobBoard
    /// How files to import are downloaded, and from which addresses.
    let importAccess: WebAccess
    private let stores = NamedList<BrowsedStore>()
    private let unopened = NamedList<ClosedStore>()
    /// The names of all stores, including those that could not be opened, in the order in which they were added.
    private let places: Mutex<[String]> = Mutex([])
    private let orders: Mutex<[String: ListOrderCache]> = Mutex([:])

    init(options: BrowserOptions) {
        self.options = options
        access = RequestGuard(options)
        tiles = TileShelf(options.tiles)
        pictures = PictureShelf(
            folder: options.thumbnailFolder ?? options.stateFolder?.appendingPathComponent("thumbnails"))
        let folder = StateFolder(options)
        jobs = JobBoard(live, in: folder)
        importAccess = .publicInternet(
            besides: Set(options.importHosts.map { $0.lowercased() }), size: UploadRegistry.byteLimit)
        sessions = EditSessionRegistry { identity, tab, adopts in
            let journal = try EditJournal(of: identity, tab: tab, in: folder)
            try journal.settle(adopts: adopts)
            return journal
        }
    }

    /// The stores that are shown, in the order in which they were added.
    package var shown: [BrowsedStore] { stores.all }

    /// The stores that are listed although they could not be opened.
    package var closed: [ClosedStore] { unopened.all }

    /// The store of a name in addresses.
    ///
    /// - Throws: `BrowserFailure` 404, or 409 for one that could not be opened.
    package func store(_ id: String) throws -> BrowsedStore {
        let id = named(id)
        if let closed = closed.first(where: { $0.id == id }) { throw closed.failure }
        guard let store = stores[id] else {
            let name = PrintableText.escaped(id, limit: 80)
            throw BrowserFailure(
                404, code: "unknownStore", reason: "the store '\(name)' is not open here",
                hint: "open it with 'coredata browse STORE'; those that are open are listed at /")
        }
        return store
    }

    /// The name of the store at a position, if `id` is a number; else `id`.
    private func named(_ id: String) -> String {
        guard AddressName.isPlace(id), let place = Int(id) else { return id }
        return places.withLock { $0.indices.contains(place - 1) ? $0[place - 1] : id }
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

    /// Opens a store's file again and discards its sessions and orders; tabs then stage the steps in their journals
    /// again.
    ///
    /// - Parameter work: Runs while the file is closed.
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

    /// Switches on a store's persistent history with old values, from the next save on.
    ///
    /// - Throws: `BrowserFailure` 422 for a store that cannot have a history, and as `reopen` does.
    func beginHistory(of store: BrowsedStore) throws {
        let opened = store.opened
        guard opened.store.type == NSSQLiteStoreType else {
            throw BrowserFailure(422, code: "noHistory", reason: "stores of this kind keep no history")
        }
        let file = try store.storeFile("it can keep no history here")
        try reopen(store) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: opened.wholeModel)
            let options: [AnyHashable: Any] = [
                NSPersistentHistoryTrackingKey: true, CoreDataHistoryKeepsOldValuesOption: true,
            ]
            let tracked = try coordinator.addPersistentStore(
                type: .sqlite, configuration: opened.store.configurationName, at: file, options: options)
            try coordinator.remove(tracked)
        }
    }

    /// Changes a store's file by a connection of its own, after what changes the file already. A store that is not in SQLite is loaded
    /// into memory on opening, so it is closed before `work` and opened again afterwards.
    ///
    /// - Parameter mode: Whether `work` saves; a store that it only tries to change stays open.
    /// - Throws: Errors of `work`, as `reopen` does, and `CancellationError` if the current `ReadCancellation` is cancelled while it waits.
    func changeFile<Result>(of store: BrowsedStore, _ mode: EditMode = .save, _ work: () throws -> Result) throws
        -> Result
    {
        try store.fileTurn.take {
            // Edits may have been staged while this waited for its turn.
            if mode == .save { try sessions.requireNothingStaged(in: store) }
            guard mode == .save, store.opened.store.type != NSSQLiteStoreType else { return try work() }
            var result: Swift.Result<Result, any Error>?
            try reopen(store) { result = Swift.Result { try work() } }
            guard let result else { throw CancellationError() }
            return try result.get()
        }
    }

    /// Opens a store's file and shows it, unless it is shown already.
    ///
    /// - Throws: `InspectionError` as `OpenStore` does.
    func open(_ file: URL, model: URL?, isWriting: Bool, isPrinting: Bool = false) throws -> BrowsedStore {
        if file.isFileURL, let identity = FileIdentity(file.path) {
            let path = file.resolvingSymlinksInPath().path
            let known = shown.first { store in
                guard let other = store.file, other.isFileURL else { return false }
                return other.resolvingSymlinksInPath().path == path && FileIdentity(other.path) == identity
            }
            if let known { return known }
        }
        let (opened, model) = try Self.opened(file, model: model, isWriting: isWriting, isPrinting: isPrinting)
        return show(StoreFileIdentity(opened.store).address(file.storeName)) {
            BrowsedStore(id: $0, file: file, model: model, opened: opened)
        }
    }

    /// Opens a store with the given model, or else with the one in its metadata, or else with one beside the file.
    private static func opened(
        _ file: URL, model: URL?, isWriting: Bool, isPrinting: Bool
    ) throws -> (ServedStore, URL?) {
        do {
            return (try ServedStore(file: file, model: model, isWriting: isWriting, isPrinting: isPrinting), model)
        } catch let error as InspectionError where error.code == .noModel && model == nil {
            guard let beside = StoreModel.beside(file) else { throw error }
            return (try ServedStore(file: file, model: beside, isWriting: isWriting, isPrinting: isPrinting), beside)
        }
    }

    /// Adds a store that could not be opened to the list, with the reason.
    package func list(_ file: URL, closedBy error: any Error) {
        let path = file.isFileURL ? file.resolvingSymlinksInPath().path : file.place
        let store = unopened.add(AddressName.make(file.storeName, of: path)) { ClosedStore(id: $0, file: file, error) }
        places.withLock { $0.append(store.id) }
    }

    /// The store of a name in addresses, which could not be opened.
    ///
    /// - Throws: `BrowserFailure` 404.
    func closedStore(_ id: String) throws -> ClosedStore {
        guard let store = closed.first(where: { $0.id == id }) else {
            throw BrowserFailure(
                404, code: "unknownStore", reason: "no store of this name was refused", hint: "the list is at /")
        }
        return store
    }

    /// Adds the store that `make` returns for its name: the given name, or that name with a number if another store has
    /// it.
    @discardableResult
    func show(_ name: String, _ make: (String) throws -> BrowsedStore) rethrows -> BrowsedStore {
        let store = try stores.add(name, make)
        places.withLock { $0.append(store.id) }
        return store
    }

    /// - Throws: `BrowserFailure` 409 if the path of a changing request names a store, an application or a model by its
    ///   position.
    func requireName(in path: [String], as parameters: [String: String]) throws {
        let named = ["store", "app", "model"].compactMap { parameters[$0] }
        guard let place = named.first(where: AddressName.isPlace) else { return }
        throw BrowserFailure(
            409, code: "placeForName",
            reason: "'/\(path.first ?? "")/\(place)' is a place, which can be another's after the next start",
            hint: "GET / has the names; reading goes by places too")
    }
}
