import CoreData
import StoreContract
import TestBasics
import Testing

@Suite("Version identifiers of models")
struct VersionIdentifierTests {
    @Test(
        "another version identifier alone leaves an existing store openable, and is in its metadata (MOD-35)",
        arguments: [["Version A"], [], ["1.1", "Version A"]] as [Set<String>])
    func otherIdentifierOpensTheStore(identifiers: Set<String>) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Heroes.sqlite")
        let first = HeroModel.make()
        first.versionIdentifiers = ["1.1"]
        let stack = try Stack(first, url: url)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let made = try #require(stack.store.metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        try stack.coordinator.remove(stack.store)

        let second = HeroModel.make()
        second.versionIdentifiers = identifiers
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(metadata[NSStoreModelVersionIdentifiersKey] as? [String] == ["1.1"])
        #expect(second.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let again = try Stack(second, url: url)
        #expect(again.store.metadata[NSStoreModelVersionHashesKey] as? [String: Data] == made)
        let hero = try #require(try again.context.all("Hero").first)
        hero.setValue("Bea", forKey: "name")
        try again.context.save()
        #expect(try again.newContext().all("Hero").count == 1)
    }
}
