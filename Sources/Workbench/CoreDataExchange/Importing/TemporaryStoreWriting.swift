import CoreData
import Synchronization

/// Creates a new store in a temporary file beside its final path, and moves the file there once the store is filled.
package struct TemporaryStoreWriting {
    /// For each unfinished store, the function that removes its temporary files; `discardAll` calls all of them.
    private static let open = Mutex<[UUID: @Sendable () -> Void]>([:])

    /// Removes the temporary files of all unfinished stores; these stores must not be used afterwards.
    package static func discardAll() { for discard in open.withLock({ Array($0.values) }) { discard() } }

    private let place: URL
    private let model: URL
    private let type: NSPersistentStore.StoreType

    /// Prepares a store of a type at a path where no file exists yet, with the model at `model`.
    ///
    /// - Throws: `InspectionError` if a file exists at `place`, and if `model` is nil.
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

    /// Creates the store, lets `body` fill it, and moves it to its path if `isKept` returns true for the result.
    ///
    /// - Throws: `InspectionError`, and what `body` throws; the temporary files are removed then.
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

    /// Removes the files of a temporary store and the folder of its large values.
    private static func remove(_ temporary: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(temporary.path + suffix) }
        let base = temporary.deletingPathExtension().lastPathComponent
        // Only some temporary stores have such a folder, so a failure to remove it is ignored.
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
