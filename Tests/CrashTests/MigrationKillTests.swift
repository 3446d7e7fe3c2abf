import CoreData
import TestBasics
import Testing
import WriteScenarios

/// A process is killed while it migrates a store by a mapping model.
@Suite("A migrating process killed", .timeLimit(.minutes(20)))
struct MigrationKillTests {
    private static let kills = TestSeed.isExhaustive ? 150 : 10

    /// The migration writes nearly a hundred times; a kill after its end meets the migrated store.
    private static let calls = 100

    @Test(
        "a kill during a mapped migration leaves the old store or the new one, and it goes on (HAZ-41, HAZ-44, MIG-17)")
    func killAtSystemCall() throws {
        var random = SeededRandom(seed: TestSeed.first)
        var (killed, old) = (0, 0)
        for _ in 0..<Self.kills {
            let folder = try Fixtures.temporaryFolder()
            let url = try BookVersions.make(in: folder)
            let call = 1 + random.next(below: Self.calls)
            let child = try Child("migrate", url.path, "\(call)")
            let told = child.lines()
            let wasKilled = child.status() == -Int(SIGKILL)
            killed += wasKilled ? 1 : 0
            #expect(wasKilled || told == BookVersions.lines, "call \(call): \(told.first ?? "")")
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
            if BookVersions.old().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
                old += 1
                let found = try BookVersions.oldLines(url)
                #expect(found == BookVersions.lines, "call \(call)")
            }
            let migrated = try BookVersions.migrate(url)
            #expect(migrated == BookVersions.lines, "call \(call)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.contains("ing-") || $0.hasSuffix("ing") || $0.hasPrefix("..")
            }
            #expect(left == [], "call \(call)")
            let again = try BookVersions.migrate(url)
            #expect(again == BookVersions.lines, "call \(call)")
        }
        // Otherwise the kills were not met, and the test says nothing.
        #expect(killed >= Self.kills / 2 && old > 0, "\(killed) killed, \(old) old")
        print("seed \(TestSeed.first): \(killed) of \(Self.kills) migrations killed, \(old) stores still old")
    }
}
