import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Copies a store to another place or kind, and puts the copy in its place in the coordinator.
    ///
    /// The copy has an identity of its own, so object identifiers change, though records keep their keys: fetch again
    /// afterwards. The program's own metadata is copied. The old store's file stays as it is, and the old store is no longer of use. Takes the rows in
    /// portions; others wait to save meanwhile. There must be nothing at `storeURL`, where the copy appears whole or not at
    /// all: it is made beside under a name of its own, `.<UUID>.migrating`, which is all that a crash can leave. A store of
    /// a subclass of `NSAtomicStore` or `NSIncrementalStore` is given all objects at once, in one save, and opened anew.
    /// - Throws: an error of `NSCocoaErrorDomain` saying why not; the coordinator is then as before.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType) { _, _ in }
    }

    /// The same; `progress` is called now and then with the number of objects that are copied, and that of all.
    @discardableResult
    package func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]?, withType storeType: String,
        progress: @escaping (Int, Int) -> Void
    ) throws -> NSPersistentStore {
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        guard persistentStores.contains(where: { $0 === store }) else { throw CoreDataError.foreignStore() }
        if storeClass is any ObjectServingStore.Type {
            return try moveObjects(of: store, to: storeURL, options: options, withType: storeType)
        }
        if !storeURL.isFileURL {
            return try moveToServer(store, at: storeURL, options: options, storeClass, progress)
        }
        let keepsFile = storeType != NSInMemoryStoreType && MemoryPlace(storeURL) == nil
        if keepsFile { try Self.requireFree(storeURL) }
        return try store.serialized {
            if keepsFile { try makeFile(storeType, at: storeURL, options: options, from: store, progress) }
            let copy = try open(storeClass, configuration: store.configurationName, at: storeURL, options: options)
            do {
                if !keepsFile { try Self.fill(copy, from: store, progress) }
            } catch {
                copy.willRemove(from: self)
                throw error
            }
            exchange(store, for: copy)
            return copy
        }
    }

    /// Copies to a store of a class that works with objects, which decides by itself what is whole, and when.
    private func moveObjects(
        of store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, withType type: String
    ) throws -> NSPersistentStore {
        if url.isFileURL { try Self.requireFree(url) }
        return try store.serialized {
            try ObjectCopying(of: store, in: self, to: type, at: url, options: options).run()
            let copy = try open(
                StoreTypeRegistry.storeClass(ofType: type), configuration: store.configurationName, at: url,
                options: options)
            exchange(store, for: copy)
            return copy
        }
    }

    /// Copies into a store of a server in one transaction, after which it is there whole; before, it is removed again.
    private func moveToServer(
        _ store: NSPersistentStore, at url: URL, options: [AnyHashable: Any]?, _ storeClass: NSPersistentStore.Type,
        _ progress: @escaping (Int, Int) -> Void
    ) throws -> NSPersistentStore {
        guard (try? storeClass.metadataForPersistentStore(with: url)) == nil else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store cannot be copied: there is one in the place already.",
                hint: "Choose another place, or remove what is there.")
        }
        return try store.serialized {
            let copy = try open(storeClass, configuration: store.configurationName, at: url, options: options)
            do {
                if let grouping = copy.objects?.saveGrouping {
                    try grouping.savingTogether { try Self.fill(copy, from: store, progress) }
                } else {
                    try Self.fill(copy, from: store, progress)
                }
            } catch {
                copy.willRemove(from: self)
                try? storeClass.administration?.destroyStore(at: url, options: [:])
                throw error
            }
            exchange(store, for: copy)
            return copy
        }
    }

    /// Makes the file of the copy beside its place, and puts it there when it is whole.
    private func makeFile(
        _ storeType: String, at url: URL, options: [AnyHashable: Any]?, from store: NSPersistentStore,
        _ progress: @escaping (Int, Int) -> Void
    ) throws {
        let draft = try StoreDraft(for: url, type: storeType)
        do {
            let copy = try open(
                draft.storeClass, configuration: store.configurationName, at: draft.url,
                options: options?.filter { $0.key as? String != NSReadOnlyPersistentStoreOption })
            do {
                defer { copy.willRemove(from: self) }
                try Self.fill(copy, from: store, progress)
            }
            try draft.publish()
        } catch {
            draft.discard()
            throw error
        }
    }

    /// Copies a store to another place or kind, and puts the copy in its place in the coordinator.
    ///
    /// - Throws: what `migratePersistentStore(_:to:options:withType:)` throws.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }

    /// Copies while nobody else, also of another process, can write to the source.
    private static func fill(
        _ copy: NSPersistentStore, from store: NSPersistentStore, _ progress: @escaping (Int, Int) -> Void
    ) throws {
        guard let source = store.objects, let target = copy.objects else { throw CoreDataError.foreignStore() }
        target.deferredWriting?.beginDeferredWriting()
        var copying = StoreCopying(source: store, from: source, destination: copy, to: target, progress: progress)
        if let holding = source.writeHolding {
            try holding.holdingWrites { try copying.run() }
        } else {
            try copying.run()
        }
        copy.metadata = MetadataRules.merged(store.metadata ?? [:], keeping: copy.metadata ?? [:])
        copy.hasUnsavedMetadata = true
        _ = try target.save(SavePlan())
        try target.deferredWriting?.finishDeferredWriting()
        copy.hasUnsavedMetadata = false
    }

    private static func requireFree(_ url: URL) throws {
        let folder = url.deletingLastPathComponent().path
        let (reason, hint) =
            PlainFile.exists(url)
            ? ("there is something already", "Choose another place, or remove what is there.")
            : ("the folder '\(folder)' is missing or cannot be written", "Make the folder, or look at its permissions.")
        guard PlainFile.exists(url) || access(folder, W_OK | X_OK) != 0 else { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "The store cannot be copied to '\(url.path)': \(reason).",
            reason: reason, hint: hint, userInfo: [NSFilePathErrorKey: url.path])
    }
}
