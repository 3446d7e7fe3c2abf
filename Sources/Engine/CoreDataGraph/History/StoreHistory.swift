import CoreDataStore

/// The history of one store, and the positions of requests' bounds in it.
struct StoreHistory {
    let store: NSPersistentStore
    let keeping: any HistoryKeeping

    /// The number of the newest transaction.
    func newest() throws -> Int64 { try store.serialized { try keeping.historyExtent().newest } }

    /// The bound of a request in this store; nil for the beginning, and for a token that does not name the store.
    ///
    /// - Throws: `NSPersistentHistoryTokenExpiredError` for a token of a later state of the store.
    func bound(_ boundary: NSPersistentHistoryChangeRequest.Boundary) throws -> HistoryBound? {
        switch boundary {
        case .beginning: return nil
        case .time(let date): return .time(date.timeIntervalSinceReferenceDate)
        case .token(let token):
            guard let number = token.numbers[store.identifier] else { return nil }
            guard try number <= newest() else { throw CoreDataError.futureToken(token, store) }
            return .number(number)
        }
    }

    /// Checks that no transaction after a token has been deleted.
    ///
    /// - Throws: `NSPersistentHistoryTokenExpiredError` if one has.
    func requireAll(after bound: HistoryBound?, _ token: NSPersistentHistoryToken?) throws {
        guard let token, case .number(let number)? = bound else { return }
        let extent = try store.serialized { try keeping.historyExtent() }
        guard extent.holdsAll(after: number) else { throw CoreDataError.expiredToken(token, store) }
    }

    /// Deletes single transactions; keeps those between them.
    func delete(_ numbers: [Int64]) throws {
        _ = try store.serialized { try keeping.deleteHistory(numbers) }
    }

    func purge(before bound: HistoryBound) throws {
        _ = try store.serialized { try keeping.purgeHistory(before: bound) }
    }
}

extension CoreDataError {
    static func expiredToken(_ token: NSPersistentHistoryToken, _ store: NSPersistentStore) -> NSError {
        make(
            NSPersistentHistoryTokenExpiredError, "The persistent history token has expired.",
            reason: "Transactions after the token have been deleted from the history of \(place(of: store)).",
            hint: "Forget the token: read the objects that are needed anew, then go on from "
                + "currentPersistentHistoryToken(fromStores:), taken before.",
            userInfo: [NSAffectedStoresErrorKey: [store], NSPersistentHistoryTokenKey: token])
    }

    static func futureToken(_ token: NSPersistentHistoryToken, _ store: NSPersistentStore) -> NSError {
        make(
            NSPersistentHistoryTokenExpiredError,
            "The persistent history token is of a later state of the store than there is.",
            reason: "\(place(of: store)) has no such transaction yet: it was replaced by an older copy of itself.",
            hint: "Forget the token: read the objects that are needed anew, then go on from "
                + "currentPersistentHistoryToken(fromStores:), taken before.",
            userInfo: [NSAffectedStoresErrorKey: [store], NSPersistentHistoryTokenKey: token])
    }

    /// Code and reason as in Apple's framework, which has no constant for the code.
    static func foreignToken(_ token: NSPersistentHistoryToken, _ stores: [NSPersistentStore]) -> NSError {
        let names = stores.map { "    \"\($0.identifier ?? "")\"" }.joined(separator: ",\n")
        let reason = "Store - (\n\(names)\n) not found in token - \(token)"
        return make(
            134_501, "The persistent history token knows none of the stores.", reason: reason,
            hint: "Use a token of these stores; for one that was replaced, forget the token and read its objects anew.",
            userInfo: ["Reason": reason, NSAffectedStoresErrorKey: stores, NSPersistentHistoryTokenKey: token])
    }

    static func noHistory(_ stores: [NSPersistentStore]) -> NSError {
        let reasons = stores.map { store in
            if let reason = store.objects?.reasonForNoHistory { return reason }
            return store.options?[NSPersistentHistoryTrackingKey] as? Bool ?? false
                ? "Stores of kind '\(store.type)' keep no history."
                : "\(place(of: store)) was opened without NSPersistentHistoryTrackingKey."
        }
        return make(
            NSPersistentStoreUnsupportedRequestTypeError, "There is no persistent history to be asked.",
            reason: reasons.isEmpty ? "The coordinator has no such store." : reasons.joined(separator: " "),
            hint: "Add the store with the option NSPersistentHistoryTrackingKey.",
            userInfo: [NSAffectedStoresErrorKey: stores])
    }

    private static func place(of store: NSPersistentStore) -> String {
        "the store '\(store.url?.path ?? store.identifier ?? "")'"
    }
}
