import CoreData
import Synchronization

/// A new store, made beside its place and put there when it is filled.
package struct TemporaryStoreWriting {
    /// What is to be called for each store in the making, should the process be ended.
    private static let open = Mutex<[UUID: @Sendable () -> Void]>([:])

    /// Removes what there is of stores in the making; nothing may be done with them afterwards.
    package static func discardAll() { for discard in open.withLock({ Array($0.values) }) { discard() } }

    private let place: URL
    private let model: URL
    private let type: NSPersistentStore.StoreType

    /// A store of a kind at a place where there is nothing, with the model at a path.
    ///
    /// - Throws: `InspectionError` where something is there.
    package init(at place: URL, model: URL?, type: NSPersistentStore.StoreType = .sqlite) throws {
        guard let model else {
            throw InspectionError(
                .noModel, subject: place.path, cause: "a new store needs a model", hint: "give it: --model PATH")
        }
        guard FileStatus(place.path) == nil else {
            throw InspectionError(
                .unreadable, subject: place.path, cause: "it exists already",
                hint: "choose another place, or leave --create out")
        }
        self.place = place
        self.model = model
        self.type = type
    }

    /// Makes the store, has it filled, and puts it in its place if the result says that it is to be kept.
    ///
    /// - Throws: `InspectionError`, and what `body` throws; nothing is left then.
    package func fill<Result>(
        keeping isKept: (Result) -> Bool, _ body: (OpenStore) throws -> Result
    ) throws -> Result {
        let temporary = try TemporaryStore(for: place, type: type.rawValue)
        let number = UUID()
        Self.open.withLock { $0[number] = { [url = temporary.url] in Self.remove(url) } }
        var isPublished = false
        defer {
            Self.open.withLock { $0[number] = nil }
            if !isPublished { temporary.discard() }
        }
        do {
            try makeEmpty(temporary.url)
            let result = try filled(temporary.url, body)
            if isKept(result) {
                try temporary.publish()
                isPublished = true
            }
            return result
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            throw InspectionError.unreadable(place, error)
        }
    }

    /// Removes the files of a temporary file, whatever they hold.
    private static func remove(_ temporary: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(temporary.path + suffix) }
        let base = temporary.deletingPathExtension().lastPathComponent
        // There are large values only of some temporary files.
        try? FileManager.default.removeItem(
            at: temporary.deletingLastPathComponent().appendingPathComponent(".\(base)_SUPPORT"))
    }

    private func makeEmpty(_ url: URL) throws {
        let version = try ModelPackage(at: model).current()
        StoredBytes.standIn(for: version.model)
        ObjectClassResolver.expectMissingClasses(of: version.model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: version.model)
        let store = try coordinator.addPersistentStore(type: type, at: url)
        try coordinator.remove(store)
    }

    private func filled<Result>(_ url: URL, _ body: (OpenStore) throws -> Result) throws -> Result {
        let store = try OpenStore(at: url, model: model, for: .importing)
        defer { store.close() }
        return try body(store)
    }
}
