import CoreData
import SQLiteKit

/// Rebuilds the file of a store, which frees the space of deleted data.
package struct StoreVacuum {
    /// The size of the store's files in bytes, before and after.
    package struct Sizes: Equatable, Sendable {
        package let before: Int
        package let after: Int
    }

    private let facts: StoreFacts

    package init(_ facts: StoreFacts) { self.facts = facts }

    /// Rebuilds the file.
    ///
    /// - Throws: `InspectionError` for a store that is not a SQLite file, and for a store that is in use.
    package func run(model path: URL?) throws -> Sizes {
        guard facts.type == .sqlite else {
            throw InspectionError(
                .unreadable, subject: facts.url.place,
                cause: facts.type == .postgreSQL
                    ? "the server makes room by itself"
                    : "a store of this kind is written whole in every save, so it has no room to free")
        }
        try requireUnused()
        let before = size
        let model = try OpenStore.model(at: path, for: facts)
        if let mismatch = model.mismatch { throw mismatch }
        let history = try HistoryPresence(facts, for: .editing)
        StoredBytes.standIn(for: model.model)
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: OpenStore.prepared(model.model, for: .editing))
        do {
            let store = try coordinator.addPersistentStore(
                type: facts.type, configuration: model.configuration, at: facts.url,
                options: [
                    NSSQLiteManualVacuumOption: true, NSIgnorePersistentStoreVersioningOption: true,
                    // A store with a history would be read-only if it were opened without its history.
                    NSPersistentHistoryTrackingKey: history.isOn,
                    CoreDataHistoryKeepsOldValuesOption: history.keepsOldValues,
                ])
            guard !store.isReadOnly else {
                throw InspectionError(
                    .readOnly, subject: facts.url.place, cause: "the store can only be read",
                    hint: store.objects?.reasonForReadOnly)
            }
            try coordinator.remove(store)
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
        return Sizes(before: before, after: size)
    }

    private var size: Int {
        ["", "-wal"].reduce(0) { $0 + (FileStatus(facts.url.place + $1)?.size ?? 0) }
    }

    /// - Throws: `InspectionError` if another connection has the file open.
    func requireUnused() throws {
        do {
            var options = OpenOptions(mode: .readWrite)
            options.busyTimeout = .milliseconds(200)
            let connection = try Connection.open(facts.url.place, options)
            defer { connection.close() }
            // With write-ahead logging no other connection can exist beside one that has locked the entire file.
            try connection.setPragma("locking_mode", to: .text("exclusive"))
            try connection.transaction(.exclusive) {}
        } catch let error as SQLiteError where [.busy, .locked].contains(error.code.primary) {
            throw InspectionError(
                .readOnly, subject: facts.url.place, cause: "another program has the store open",
                hint: "close it there first")
        } catch let error as SQLiteError {
            throw InspectionError(
                .unreadable, subject: facts.url.place, cause: "it cannot be rebuilt: \(error.message)")
        }
    }
}
