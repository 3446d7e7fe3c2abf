import CoreDataStore

/// Executes one history request on the stores that it affects.
struct HistoryExecution {
    let coordinator: NSPersistentStoreCoordinator

    func run(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
        let histories = try histories(request)
        if let token = request.token { try requireKnown(histories, token) }
        switch request.purpose {
        case .deletion:
            try delete(histories, request)
            return NSPersistentHistoryResult(NSNumber(value: true), .statusOnly)
        case .fetch:
            return NSPersistentHistoryResult(try found(histories, request), request.resultType)
        }
    }

    // MARK: Stores

    /// The histories of the request's affected stores, each of which must have one; without any named, of all stores
    /// that have one.
    private func histories(_ request: NSPersistentHistoryChangeRequest) throws -> [StoreHistory] {
        let stores = coordinator.persistentStores
        if request.affectedStores != nil {
            let known = stores.filter(request.concerns)
            let histories = known.compactMap(\.keptHistory)
            guard !histories.isEmpty, histories.count == known.count else {
                throw CoreDataError.noHistory(known.filter { $0.keptHistory == nil })
            }
            return histories
        }
        let histories = stores.compactMap(\.keptHistory)
        guard !histories.isEmpty else { throw CoreDataError.noHistory(stores) }
        return histories
    }

    /// A token need not contain every store, since stores may be added after it.
    private func requireKnown(_ histories: [StoreHistory], _ token: NSPersistentHistoryToken) throws {
        guard !histories.contains(where: { token.numbers[$0.store.identifier] != nil }) else { return }
        throw CoreDataError.foreignToken(token, histories.map(\.store))
    }

    // MARK: Deleting

    private func delete(_ histories: [StoreHistory], _ request: NSPersistentHistoryChangeRequest) throws {
        // All bounds are checked before anything is deleted, so that an error leaves every history unchanged.
        let bounds = try histories.map { ($0, try $0.bound(request.boundary)) }
        guard let fetch = request.fetchRequest else {
            for (history, bound) in bounds { if let bound { try history.purge(before: bound) } }
            return
        }
        for (history, numbers) in try found(by: fetch, bounds) where !numbers.isEmpty {
            try history.delete(numbers)
        }
    }

    /// The numbers of the transactions before the bounds that a fetch request finds, by their stores.
    ///
    /// - Throws: `NSCoreDataError` for a request of changes, since only whole transactions can be deleted.
    private func found(
        by fetch: NSFetchRequest<any NSFetchRequestResult>, _ bounds: [(StoreHistory, HistoryBound?)]
    ) throws -> [(StoreHistory, [Int64])] {
        let selection = try HistorySelection(fetch)
        guard selection.subject == .transactions else {
            throw CoreDataError.make(
                NSCoreDataError, "History is deleted by whole transactions, not by single changes.",
                hint: "Make the fetchRequest of the deletion one of NSPersistentHistoryTransaction.")
        }
        let properties = HistoryProperties.all(of: coordinator.modelLayout)
        let candidates = try bounds.map { history, bound -> [FoundTransaction] in
            guard let bound else { return [] }
            let scan = try HistoryScan(
                history, after: nil, selection: selection, model: coordinator.modelLayout, properties: properties)
            return try scan.found(withChanges: false).filter { $0.header.precedes(bound) }
        }
        let chosen = try selection.chosen(candidates)
        return bounds.map { history, _ in
            (history, chosen.filter { $0.store === history.store }.map(\.header.number))
        }
    }

    // MARK: Fetching

    private func found(_ histories: [StoreHistory], _ request: NSPersistentHistoryChangeRequest) throws -> Any {
        let selection = try HistorySelection(request.fetchRequest)
        let properties = HistoryProperties.all(of: coordinator.modelLayout)
        let scans = try histories.map { history in
            let bound = try history.bound(request.boundary)
            try history.requireAll(after: bound, request.token)
            return try HistoryScan(
                history, after: bound, selection: selection, model: coordinator.modelLayout, properties: properties)
        }
        let result = try result(of: scans, selection, request.resultType)
        // Throws if another process has meanwhile deleted transactions that were to be read.
        for history in histories { try history.requireAll(after: history.bound(request.boundary), request.token) }
        return result
    }

    private func result(
        of scans: [HistoryScan], _ selection: HistorySelection, _ type: NSPersistentHistoryResultType
    ) throws -> Any {
        switch type {
        case .statusOnly: return NSNumber(value: true)
        case .count:
            if selection.isWhole { return NSNumber(value: try scans.reduce(0) { $0 + (try $1.count()) }) }
            return NSNumber(value: try changes(scans, selection).count)
        case .objectIDs:
            if selection.isWhole { return try scans.flatMap { try $0.objectIDs() } }
            var seen: Set<RowKey> = []
            return try changes(scans, selection).filter { seen.insert(RowKey($0.details.address)).inserted }
                .map(\.changedObjectID)
        case .changesOnly:
            if selection.isWhole, scans.count == 1 { return try scans[0].changes() }
            return try changes(scans, selection)
        case .transactionsOnly:
            return try selection.chosen(scans.map { try $0.found(withChanges: false) }).map {
                NSPersistentHistoryTransaction($0.header, of: $0.store.identifier, changes: nil)
            }
        case .transactionsAndChanges:
            return try selection.chosen(scans.map { try $0.found(withChanges: true) }).map {
                NSPersistentHistoryTransaction(
                    $0.header, of: $0.store.identifier, changes: $0.changes)
            }
        }
    }

    private func changes(_ scans: [HistoryScan], _ selection: HistorySelection) throws -> [NSPersistentHistoryChange] {
        let found = try scans.map { try $0.found(withChanges: true) }
        switch selection.subject {
        case .transactions: return try selection.chosen(found).flatMap(\.changes)
        case .changes: return try selection.chosenInOrder(found)
        }
    }
}

extension NSPersistentHistoryChangeRequest: CoordinatorExecuting {
    func execute(on coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStoreResult {
        try HistoryExecution(coordinator: coordinator).run(self)
    }
}

extension NSPersistentStore {
    /// The store's history; nil if the store has none.
    var keptHistory: StoreHistory? { objects?.history.map { StoreHistory(store: self, keeping: $0) } }
}
