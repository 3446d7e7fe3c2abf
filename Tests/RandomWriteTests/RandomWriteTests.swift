import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import WriteScenarios

/// Random sequences of changes, each compared with a naive reference.
///
/// `CORE_DATA_SEED` runs one sequence again; a failing one is shortened and printed.
@Suite("Random writes", .timeLimit(.minutes(30)), .serialized)
struct RandomWriteTests {
    private static let stepCount = 40

    private static let seeds = TestSeed.sequences(20, exhaustive: 2_000)

    @Test("the graph, the file and another process agree with the reference", arguments: StoreKind.all)
    func graphAgreesWithReference(_ kind: StoreKind) throws {
        let model = ShapesModel.make()
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for seed in Self.seeds {
            try run(seed, folder.appendingPathComponent("\(seed).sqlite"), kind, model)
        }
        guard kind.type == NSSQLiteStoreType else { return }
        let child = try Child("compare", folder.path)
        #expect(child.lines() == ["\(Self.seeds.count) stores compared"])
        #expect(child.status() == 0)
    }

    private func run(_ seed: UInt64, _ url: URL, _ kind: StoreKind, _ model: NSManagedObjectModel) throws {
        let steps = ShapesGenerator.steps(seed: seed, count: Self.stepCount, model)
        let checking: ShapesRun.Checking = seed % 2 == 0 ? .everyStep : .everySave
        let run = ShapesRun(model, try Stack(model, url: url, kind: kind), checking)
        guard let failure = failure(run, steps) else {
            guard kind.type == NSSQLiteStoreType else { return }
            try ShapesComparison.expect(run.reference, at: url)
            #expect(try Connection.open(url.path).integrityFaults() == [], "CORE_DATA_SEED=\(seed)")
            return
        }
        let short = ShapesShrinking(model, kind, checking).shrink(steps)
        Issue.record("CORE_DATA_SEED=\(seed) \(kind.type) \(checking): \(failure)\nshortest: \(short)")
    }

    private func failure(_ run: ShapesRun, _ steps: [ShapesStep]) -> String? {
        do {
            let differences = try run.differences(steps)
            return differences.isEmpty ? nil : differences.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }
}
