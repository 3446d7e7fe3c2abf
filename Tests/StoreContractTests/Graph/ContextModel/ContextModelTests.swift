import CoreData
import StoreContract
import TestBasics
import Testing

/// Random changes, saves and merges in several contexts, against naive twins.
///
/// `CORE_DATA_SEED` runs one sequence again; a failing one is shortened and printed.
@Suite("Random contexts", .timeLimit(.minutes(20)))
struct ContextModelTests {
    /// Seeds that found mistakes which no other test shows: members said twice before a deletion that is dropped; a
    /// member lost that two contexts let go of by their deletions, of which the parent's was dropped; a member that a
    /// grandchild added and took out by turns.
    private static let telling: [UInt64] = [9542, 324_268_942, 324_273_137, 324_278_155]
    private static let seeds =
        TestSeed.sequences(50, exhaustive: 10_000) + (TestSeed.given == nil ? telling : [])

    @Test("contexts agree with their references (CTX-06, CTX-07, CTX-18, CTX-21)", arguments: StoreKind.all)
    func contextsAgreeWithReferences(kind: StoreKind) throws {
        let model = NodeModel.make()
        let events = ContextEvents()
        print("Random contexts: CORE_DATA_SEED=\(Self.seeds[0]), \(Self.seeds.count) sequences")
        for seed in Self.seeds {
            let plan = Plan(seed, kind)
            guard let failure = plan.failure(plan.operations, model, events) else { continue }
            let short = plan.shrink(model)
            let reason = plan.failure(short, model, ContextEvents()) ?? ""
            Issue.record(
                "CORE_DATA_SEED=\(seed) \(kind.type) \(plan.arrangement): \(failure)\nshortest: \(short)\n\(reason)")
            return
        }
        if TestSeed.isExhaustive { print("Met on \(kind.type):\n\(events.table)") }
        guard Self.seeds.count >= 5000 else { return }
        #expect(
            events.unmet.isEmpty,
            "never met: \(events.unmet.map(ContextEvents.name)); seeds from \(Self.seeds[0])")
    }

    /// What a seed stands for.
    private struct Plan {
        let arrangement: ContextArrangement
        let isRelational: Bool
        let policies: [NSMergePolicyType]
        let operations: [ContextOperation]
        let kind: StoreKind

        init(_ seed: UInt64, _ kind: StoreKind) {
            var random = SeededRandom(seed: seed)
            let all = ContextArrangement.allCases.filter { $0 != .coordinators || kind.capabilities.contains(.shared) }
            arrangement = all[random.next(below: all.count)]
            let isRelational = random.next(below: 2) == 0
            self.isRelational = isRelational
            policies = arrangement.parents.map { parent in
                let choices = ContextRun.policies(isRelational: isRelational && parent == nil)
                return choices[random.next(below: choices.count)]
            }
            operations = ContextOperation.sequence(&random)
            self.kind = kind
        }

        func failure(
            _ operations: [ContextOperation], _ model: NSManagedObjectModel, _ events: ContextEvents
        ) -> String? {
            do {
                return try ContextRun(arrangement, isRelational: isRelational, policies, model, kind, events)
                    .firstDifference(operations)
            } catch {
                return "\(error)"
            }
        }

        /// Leaves out ever smaller parts without which the sequence still fails.
        func shrink(_ model: NSManagedObjectModel) -> [ContextOperation] {
            var short = operations
            var size = max(1, short.count / 2)
            while size > 0 {
                var start = 0
                while start < short.count {
                    var candidate = short
                    candidate.removeSubrange(start..<min(short.count, start + size))
                    if failure(candidate, model, ContextEvents()) != nil { short = candidate } else { start += size }
                }
                size /= 2
            }
            return short
        }
    }
}
