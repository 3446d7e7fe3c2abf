import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import WriteScenarios

/// Stores with a little of every shape, copied to each kind and back.
@Suite("Random stores copied to other kinds", .timeLimit(.minutes(10)), .serialized)
struct MigratedStoreTests {
    private static let seeds = TestSeed.sequences(6, exhaustive: 200)

    @Test(
        "whatever was written is there in the copy, and in the copy of the copy (STO-27)",
        arguments: StoreKind.all, StoreKind.all)
    func copyHoldsEverything(source: StoreKind, target: StoreKind) throws {
        let model = ShapesModel.make()
        for seed in Self.seeds {
            let folder = try Fixtures.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let stack = try Stack(model, url: folder.appendingPathComponent("First.sqlite"), kind: source)
            let run = ShapesRun(model, stack, .everySave)
            #expect(try run.differences(ShapesGenerator.steps(seed: seed, count: 60, model)).isEmpty)
            for (name, kind) in [("Second", target), ("Third", source)] {
                let url = folder.appendingPathComponent("\(name).sqlite")
                stack.context.reset()
                try stack.coordinator.migratePersistentStore(stack.store, to: url, withType: kind.type)
                let context = stack.newContext()
                context.dataErrorHandler = { _, _ in }
                let differences = ShapesRun.differences(try ShapesReader.lines(context), run.reference.lines)
                #expect(differences.isEmpty, "CORE_DATA_SEED=\(seed) \(name) \(kind.type)")
                guard kind.type == NSSQLiteStoreType else { continue }
                #expect(try Connection.open(url.path).integrityFaults() == [], "CORE_DATA_SEED=\(seed)")
            }
        }
    }
}
