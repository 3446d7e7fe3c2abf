import CoreData
import StoreContract
import TestBasics
import Testing

/// Random changes, undone and redone between saves, against a naive twin.
///
/// `CORE_DATA_SEED` runs one sequence again; a failing one is shortened and printed.
@Suite("Random undo", .timeLimit(.minutes(20)))
struct UndoModelTests {
    private static let seeds =
        TestSeed.sequences(25, exhaustive: 10_000) + (TestSeed.given == nil ? onceFailed : [])
    /// Sequences that have found a defect, which random ones rarely do.
    private static let onceFailed: [UInt64] = [604_154]

    @Test("a context and its undo manager agree with the reference (CTX-10)", arguments: StoreKind.all)
    func contextAgreesWithReference(kind: StoreKind) throws {
        let model = UndoModel.make()
        print("CTX-10: CORE_DATA_SEED=\(Self.seeds[0]), \(Self.seeds.count) sequences")
        for seed in Self.seeds {
            let operations = UndoOperation.sequence(seed: seed, count: 200)
            guard let failure = Self.failure(operations, model, kind) else { continue }
            let short = Self.shrink(operations, model, kind)
            let reason = Self.failure(short, model, kind) ?? ""
            Issue.record("CORE_DATA_SEED=\(seed) \(kind.type): \(failure)\nshortest: \(short)\n\(reason)")
            return
        }
    }

    private static func failure(
        _ operations: [UndoOperation], _ model: NSManagedObjectModel, _ kind: StoreKind
    ) -> String? {
        do {
            return try UndoRun(model, kind).firstDifference(operations)
        } catch {
            return "\(error)"
        }
    }

    /// Leaves out ever smaller parts without which the sequence still fails.
    private static func shrink(
        _ operations: [UndoOperation], _ model: NSManagedObjectModel, _ kind: StoreKind
    ) -> [UndoOperation] {
        var short = operations
        var size = max(1, short.count / 2)
        while size > 0 {
            var start = 0
            while start < short.count {
                var candidate = short
                candidate.removeSubrange(start..<min(short.count, start + size))
                if failure(candidate, model, kind) != nil { short = candidate } else { start += size }
            }
            size /= 2
        }
        return short
    }
}
