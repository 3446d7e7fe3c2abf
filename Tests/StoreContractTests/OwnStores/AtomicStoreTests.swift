import CoreData
import StoreContract
import Testing

/// Store classes of one's own that are read and written as a whole.
@Suite(.timeLimit(.minutes(20))) struct AtomicStoreTests {
    private static let kind: StoreKind = {
        NSPersistentStoreCoordinator.registerStoreClass(FileAtomicStore.self, forStoreType: FileAtomicStore.kindName)
        return StoreKind(
            type: FileAtomicStore.kindName, capabilities: [.durable, .exactDecimals, .exactReals, .namesRecords])
    }()

    @Test("an atomic store keeps the contract (STO-05, STO-07)", arguments: StoreContract.checks(for: kind))
    func atomicStoreKeepsContract(check: StoreContract.Check) throws { try check.run() }

    @Test("a save that cannot be written leaves the nodes as they were, and can be made again (STO-05)")
    func failedSave() throws {
        let stack = try HeroModel.stack(Self.kind)
        let store = try #require(stack.store as? FileAtomicStore)
        let ann = stack.context.insert("Hero", ["name": "Ann"])
        let bob = stack.context.insert("Hero", ["name": "Bob"])
        try stack.context.save()
        ann.setValue("Anna", forKey: "name")
        stack.context.delete(bob)
        stack.context.insert("Hero", ["name": "Cid"])
        store.failure = CocoaError(.fileWriteOutOfSpace)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == CocoaError.fileWriteOutOfSpace.rawValue)
        #expect(Set(store.cacheNodes().compactMap { $0.value(forKey: "name") as? String }) == ["Ann", "Bob"])
        store.failure = nil
        try stack.context.save()
        #expect(Set(store.cacheNodes().compactMap { $0.value(forKey: "name") as? String }) == ["Anna", "Cid"])
        #expect(store.cacheNode(for: ann.objectID)?.objectID == ann.objectID)
    }

    @Test("nodes are asked for the values that a query names, and for all when a fault is filled (STO-05)")
    func lazyValues() throws {
        NSPersistentStoreCoordinator.registerStoreClass(LazyStore.self, forStoreType: "Lazy")
        let stack = try HeroModel.stack(StoreKind(type: "Lazy", capabilities: []))
        let node = try #require((stack.store as? LazyStore)?.node)
        let found = try stack.context.all("Hero")
        #expect(found.count == 1 && node.asked.isEmpty)
        #expect(try stack.context.all("Hero", NSPredicate(format: "strength > 6")).count == 1)
        #expect(node.asked == ["strength"])
        #expect(found[0].value(forKey: "name") as? String == "Computed")
        #expect(Set(node.asked).isSuperset(of: ["name", "birthDate"]) && !node.asked.contains("powers"))
    }

    @Test("a class that does not say how it is read is refused (STO-05)")
    func missingMethods() throws {
        final class Silent: NSAtomicStore, @unchecked Sendable {}
        NSPersistentStoreCoordinator.registerStoreClass(Silent.self, forStoreType: "Silent")
        let error = #expect(throws: NSError.self) {
            try HeroModel.stack(StoreKind(type: "Silent", capabilities: []))
        }
        #expect(error?.localizedDescription.contains("load()") == true)
    }
}
