import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite(
    "Stores made new from the models of Apple's stores",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct CreationTests {
    @Test("a new store has Apple's bookkeeping (STO-10, STO-12, STO-21)", arguments: FixtureStore.withEachModel)
    func newStoreHasItsBookkeeping(_ fixture: FixtureStore) throws {
        let original = try fixture.copy()
        let model = try fixture.model(at: original)
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Naïve name?#%.sqlite")
        let open = try OpenStore(url, model: model)
        #expect(!open.store.isReadOnly)
        let metadata = open.coordinator.metadata(for: open.store)
        for entity in model.entities { #expect(try open.fetch(entity.name ?? "").isEmpty) }
        try open.close()
        #expect(try Footprint(url).names == [url.lastPathComponent])

        let raw = try Connection.open(url.path, OpenOptions(mode: .readOnly))
        #expect(try raw.pragma("page_size") == .integer(4096))
        #expect(try raw.pragma("auto_vacuum") == .integer(2))
        #expect(try raw.pragma("journal_mode") == .text("wal"))
        #expect(try raw.integrityFaults() == [])
        #expect(try raw.value("SELECT count(*) FROM Z_METADATA") == 1)
        #expect(try raw.value("SELECT Z_VERSION FROM Z_METADATA") == 1)
        #expect(try raw.catalog().table("Z_MODELCACHE")?.columns.map(\.name) == ["Z_CONTENT"])
        #expect(try raw.value("SELECT count(*) FROM Z_MODELCACHE") == 1)
        let kept = try #require(try StoreFile.cachedModel(at: url))
        #expect(kept.entityVersionHashesByName == model.entityVersionHashesByName)
        let uuid = try #require(try raw.value("SELECT Z_UUID FROM Z_METADATA")?.text)
        #expect(UUID(uuidString: uuid)?.uuidString == uuid)
        #expect(metadata[NSStoreUUIDKey] as? String == uuid)

        // The same bookkeeping as in the store that Apple's framework made, renamed entities aside.
        let theirs = try Connection.open(original.path)
        let rows = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
        if try !RawStore(original, model).hasRenamedEntity { #expect(try raw.rows(rows) == (try theirs.rows(rows))) }
        #expect(try raw.value("SELECT total(Z_MAX) FROM Z_PRIMARYKEY") == .real(0))
        try compareMetadata(metadata, original, model)
    }

    private func compareMetadata(_ own: [String: Any], _ original: URL, _ model: NSManagedObjectModel) throws {
        let theirs = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: original)
        #expect(own[NSStoreTypeKey] as? String == "SQLite")
        #expect(
            own[NSStoreModelVersionHashesKey] as? [String: Data]
                == theirs[NSStoreModelVersionHashesKey] as? [String: Data])
        #expect((own["NSStoreModelVersionHashesVersion"] as? NSNumber)?.intValue == 3)
        #expect((own["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue == 1344)
        #expect(own["_NSAutoVacuumLevel"] as? String == "2")
        #expect(own[NSPersistentStoreModelVersionChecksumKey] as? String == model.versionChecksum)
        let identifiers = try #require(own[NSStoreModelVersionIdentifiersKey] as? [String])
        #expect(identifiers == theirs[NSStoreModelVersionIdentifiersKey] as? [String] || identifiers == [""])
        for key in ["NSStoreModelVersionHashesDigest", NSPersistentStoreModelVersionChecksumKey] {
            if let value = theirs[key] as? String { #expect(own[key] as? String == value) }
        }
    }

    @Test("a store that cannot be created says why, and leaves nothing behind (STO-10)")
    func failedCreationLeavesNothing() throws {
        let fixture = try FixtureStore.named("SampleModel3_V1.sqlite")
        let model = try fixture.model(at: try fixture.copy())
        let folder = try Fixtures.temporaryFolder()
        let file = folder.appendingPathComponent("file")
        try Data("text".utf8).write(to: file)
        for place in ["absent/store.sqlite", "file/store.sqlite"] {
            let url = folder.appendingPathComponent(place)
            let error = try #require(throws: (any Error).self) { try OpenStore(url, model: model) } as NSError
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == 134080)
            let text = try #require(error.userInfo[NSLocalizedDescriptionKey] as? String)
            #expect(text.contains(url.path))
            #expect(!text.contains("\n"))
            #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] is String)
            #expect(error.userInfo[NSLocalizedRecoverySuggestionErrorKey] is String)
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
        #expect(try Data(contentsOf: file) == Data("text".utf8))
        let long = folder.appendingPathComponent(String(repeating: "x", count: 300))
        let error = try #require(throws: (any Error).self) { try OpenStore(long, model: model) } as NSError
        #expect(error.code == 134080)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("twenty coordinators that create one store at once all open the same one (HAZ-41)")
    func concurrentCreation() async throws {
        let fixture = try FixtureStore.named("SampleModel_V1.sqlite")
        let url = try Fixtures.temporaryFolder().appendingPathComponent("store.sqlite")
        let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let open = try OpenStore(url, model: fixture.model(at: url))
                    defer { try? open.close() }
                    return open.store.identifier
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(identifiers.count == 1)
        #expect(try Footprint(url).names.filter { $0.contains("creating") }.isEmpty)
    }
}
