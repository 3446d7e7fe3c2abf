import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Implements `migratePersistentStore(_:to:options:withType:)`.
    func move(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, storeType: String
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: url, options: options, withType: storeType) { _, _ in }
    }

    /// Copies a store, and replaces the store in the coordinator with the copy.
    ///
    /// `progress` is called repeatedly with the number of objects copied so far and the number of all objects.
    /// - Parameter leavesOutUnreadable: whether large values that cannot be read become nil; if false, the copy fails.
    @discardableResult
    package func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]?, withType storeType: String,
        leavingOutUnreadable leavesOutUnreadable: Bool = false, progress: @escaping (Int, Int) -> Void
    ) throws -> NSPersistentStore {
        let order = CopyOrder(leavesOutUnreadable: leavesOutUnreadable, progress: progress)
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        guard persistentStores.contains(where: { $0 === store }) else { throw CoreDataError.foreignStore() }
        let (copy, keys): (NSPersistentStore, MovedKeys)
        if storeClass is any ObjectServingStore.Type {
            (copy, keys) = try moveObjects(of: store, to: storeURL, options: options, withType: storeType)
        } else if !storeURL.isFileURL {
            (copy, keys) = try moveToServer(store, at: storeURL, options: options, storeClass: storeClass, order: order)
        } else {
            (copy, keys) = try moveToFile(store, at: storeURL, options: options, withType: storeType, order)
        }
        reassignObjects(of: store, to: copy)
        if store.isSucceeded {
            continueObjects(under: copy)
        } else {
            renumberObjects(of: store, to: copy, keys)
        }
        announceExchange(of: store, for: copy)
        return copy
    }

    /// Copies to a file, which appears at its URL only when it is complete, or to a store in memory.
    private func moveToFile(
        _ store: NSPersistentStore, at storeURL: URL, options: [AnyHashable: Any]?, withType storeType: String,
        _ order: CopyOrder
    ) throws -> (NSPersistentStore, MovedKeys) {
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        let keepsFile = storeType != NSInMemoryStoreType && MemoryPlace(storeURL) == nil
        if keepsFile { try Self.requireFree(storeURL) }
        return try store.serialized {
            var moved = MovedKeys()
            var keepsKeys = try !keepsFile && StoreCopying.hasPlainKeys(store)
            if keepsFile {
                (keepsKeys, moved) = try makeFile(storeType, at: storeURL, options: options, from: store, order)
            }
            let former = keepsKeys && store.objectServing == nil ? store : nil
            let copy: NSPersistentStore
            do {
                copy = try open(
                    storeClass, configuration: store.configurationName, at: storeURL, options: options,
                    succeeding: former)
            } catch {
                // The copy is deleted if it cannot be opened.
                if keepsFile {
                    if let administration = storeClass.administration {
                        try? administration.destroyStore(at: storeURL, options: [:])
                    } else {
                        try? PlainFile.destroy(storeURL)
                    }
                }
                throw error
            }
            do {
                if !keepsFile { moved = try Self.fill(copy, from: store, succeeding: former != nil, order).keys }
            } catch {
                copy.willRemove(from: self)
                throw error
            }
            exchange(store, for: copy)
            return (copy, moved)
        }
    }

    /// Copies to a store of a class that works with objects (atomic and incremental stores of the program); the class
    /// decides whether its save is atomic.
    private func moveObjects(
        of store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, withType type: String
    ) throws -> (NSPersistentStore, MovedKeys) {
        if url.isFileURL { try Self.requireFree(url) }
        let (copy, copies) = try store.serialized {
            let copies = try ObjectCopying(of: store, in: self, to: type, at: url, options: options).run()
            let copy = try open(
                StoreTypeRegistry.storeClass(ofType: type), configuration: store.configurationName, at: url,
                options: options)
            exchange(store, for: copy)
            return (copy, copies)
        }
        var keys = MovedKeys()
        for (root, key, address) in copies {
            keys[root, key] = managedObjectID(forURIRepresentation: address)?.key
        }
        return (copy, keys)
    }

    /// Copies to a store on a server, in one transaction if it supports that; if that fails, the new store is removed.
    private func moveToServer(
        _ store: NSPersistentStore, at url: URL, options: [AnyHashable: Any]?, storeClass: NSPersistentStore.Type,
        order: CopyOrder
    ) throws -> (NSPersistentStore, MovedKeys) {
        guard (try? storeClass.metadataForPersistentStore(with: url)) == nil else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store cannot be copied: there is one in the place already.",
                hint: "Choose another place, or remove what is there.")
        }
        return try store.serialized {
            let former = try store.objectServing == nil && StoreCopying.hasPlainKeys(store) ? store : nil
            let copy = try open(
                storeClass, configuration: store.configurationName, at: url, options: options, succeeding: former)
            var moved = MovedKeys()
            let fill: () throws -> Void = {
                moved = try Self.fill(copy, from: store, succeeding: former != nil, order).keys
            }
            do {
                if let grouping = copy.objects?.saveGrouping {
                    try grouping.savingTogether(fill)
                } else {
                    try fill()
                }
            } catch {
                copy.willRemove(from: self)
                try? storeClass.administration?.destroyStore(at: url, options: [:])
                throw error
            }
            exchange(store, for: copy)
            return (copy, moved)
        }
    }

    /// Makes the copy under a temporary name beside its URL, and renames it when it is complete; returns the new keys.
    private func makeFile(
        _ storeType: String, at url: URL, options: [AnyHashable: Any]?, from store: NSPersistentStore,
        _ order: CopyOrder
    ) throws -> (keepsKeys: Bool, keys: MovedKeys) {
        let temporary = try TemporaryStore(for: url, type: storeType)
        do {
            let copy = try open(
                StoreTypeRegistry.storeClass(ofType: storeType), configuration: store.configurationName,
                at: temporary.url,
                options: options?.filter { $0.key as? String != NSReadOnlyPersistentStoreOption })
            let filled: (keepsKeys: Bool, keys: MovedKeys)
            do {
                defer { copy.willRemove(from: self) }
                filled = try Self.fill(copy, from: store, succeeding: false, order)
            }
            try temporary.publish()
            return filled
        } catch {
            temporary.discard()
            throw error
        }
    }

    /// Copies a store to another URL or type, and replaces the store in the coordinator with the copy.
    ///
    /// - Throws: what `migratePersistentStore(_:to:options:withType:)` throws.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }

    /// Copies all records and the metadata. If the source can block writes, no other connection, in this process or
    /// another, writes to it meanwhile.
    ///
    /// - Parameter isSuccessor: whether the copy is to take over the store's objects; throws then unless all keys
    ///   remain the same.
    /// - Returns: whether all keys are the same, and the key of each record in the copy.
    private static func fill(
        _ copy: NSPersistentStore, from store: NSPersistentStore, succeeding isSuccessor: Bool, _ order: CopyOrder
    ) throws -> (keepsKeys: Bool, keys: MovedKeys) {
        guard let source = store.objects, let target = copy.objects else { throw CoreDataError.foreignStore() }
        target.deferredWriting?.beginDeferredWriting()
        var copying = StoreCopying(source: store, from: source, destination: copy, to: target, order)
        if let holding = source.writeHolding {
            try holding.holdingWrites { try copying.run() }
        } else {
            try copying.run()
        }
        guard copying.keepsKeys || !isSuccessor else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store cannot be copied: the copy gives its records other keys.",
                hint: "Reset the contexts, remove the store, and copy it with replacePersistentStore.")
        }
        copy.metadata = MetadataRules.merged(store.metadata ?? [:], keeping: copy.metadata ?? [:])
        if let keys = copying.copiedKeys { copy.metadata?[CopiedKeys.metadataKey] = keys.propertyList }
        copy.hasUnsavedMetadata = true
        _ = try target.save(SavePlan())
        try target.deferredWriting?.finishDeferredWriting()
        copy.hasUnsavedMetadata = false
        return (copying.keepsKeys, copying.movedKeys)
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
