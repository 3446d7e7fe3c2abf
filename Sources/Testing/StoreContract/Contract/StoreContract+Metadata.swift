import CoreDataGraph
import Testing

extension StoreContract {
    static let metadata = [
        Clause("STO-12: a store says its kind, its identity and its model", saysWhatItIs),
        Clause("the capabilities of a store are those of its kind", capabilitiesAgree),
        Clause("each store has an identity of its own", ownIdentity),
        Clause(
            "STO-12: a store keeps its identity, which can be read without opening it", needs: .durable, keepsIdentity),
        Clause("STO-11: a store of another model is refused and stays as it was", needs: .durable, refusesOtherModel),
    ]

    @Sendable private static func saysWhatItIs(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let metadata = stack.coordinator.metadata(for: stack.store)
        #expect(metadata[NSStoreTypeKey] as? String == store.kind.type && stack.store.type == store.kind.type)
        #expect(metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes == stack.model.entityVersionHashesByName)
        #expect(stack.coordinator.persistentStore(for: stack.url) === stack.store)
    }

    @Sendable private static func capabilitiesAgree(_ store: ContractStore) throws {
        #expect(try store.open(HeroModel.make()).store.capabilities == store.kind.capabilities)
    }

    @Sendable private static func ownIdentity(_ store: ContractStore) throws {
        let identities = try ["One", "Two"].map { try store.open(HeroModel.make(), named: $0).store.identifier }
        #expect(identities[0] != identities[1] && identities[0]?.isEmpty == false)
    }

    @Sendable private static func keepsIdentity(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let identifier = stack.store.identifier
        let again = try stack.reopened()
        #expect(again.store.identifier == identifier)
        try again.coordinator.remove(again.store)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: store.kind.type, at: stack.url)
        #expect(metadata[NSStoreUUIDKey] as? String == identifier)
        #expect(metadata[NSStoreTypeKey] as? String == store.kind.type)
    }

    @Sendable private static func refusesOtherModel(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let other = ModelBuilder()
        other.entity("Villain", ["name": .stringAttributeType])
        let code = errorCode { _ = try Stack(other.model, url: stack.url, kind: store.kind) }
        #expect(code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(try Stack(stack.model, url: stack.url, kind: store.kind).context.texts("Hero") == ["Ann"])
    }
}
