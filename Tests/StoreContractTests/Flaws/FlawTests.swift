import CoreData
import StoreContract
import Testing

/// That the checks can fail: each store that is wrong on purpose is found by the checks that are about its mistake.
@Suite(.timeLimit(.minutes(20))) struct FlawTests {
    struct Flaw: Sendable, CustomTestStringConvertible {
        let kind: StoreKind
        /// What the names of checks that must fail contain; at least one check each.
        let found: [String]
        var testDescription: String { kind.type }
    }

    static let flaws = [
        Flaw(kind: FlawedStore<DropsUpdates>.kind(), found: ["STO-18: every update", "take each other's place"]),
        Flaw(kind: FlawedStore<DropsDeletions>.kind(), found: ["OBJ-24: a deleted object", "REL-16: cascade"]),
        Flaw(kind: FlawedStore<LosesLinks>.kind(), found: ["REL-07: many to many: set"]),
        Flaw(kind: FlawedStore<LosesOrder>.kind(), found: ["members move, enter in the middle"]),
        Flaw(kind: FlawedStore<SwallowsConflicts>.kind(), found: ["CTX-21: two contexts", "CTX-21: a record"]),
        Flaw(kind: FlawedStore<SavesHalf>.kind(), found: ["CTX-03, CTX-21: a conflict leaves"]),
        Flaw(kind: FlawedStore<ReusesKeys>.kind(), found: ["STO-17"]),
        Flaw(kind: FlawedStore<IgnoresPredicates>.kind(), found: ["FET-03: finds strength == 2", "FET-11"]),
        Flaw(kind: FlawedStore<IgnoresSorting>.kind(), found: ["FET-04", "FET-07: pages"]),
        Flaw(kind: FlawedStore<IgnoresLimits>.kind(), found: ["FET-07: pages"]),
        Flaw(kind: FlawedStore<ForgetsSubentities>.kind(), found: ["FET-02", "FET-01"]),
        Flaw(kind: FlawedStore<CountsOneTooMany>.kind(), found: ["FET-11"]),
        Flaw(kind: FlawedStore<FindsNoRows>.kind(), found: ["OBJ-09: an identifier carries"]),
        Flaw(kind: FlawedStore<FindsNoMembers>.kind(), found: ["one to many: set", "many to many: set"]),
        Flaw(kind: FlawedStore<MixesMembers>.kind(), found: ["FET-09: prefetched relationships hold"]),
        Flaw(
            kind: FlawedStore<HidesDerivedValues>.kind(),
            found: ["MOD-42: a derived attribute that the store changes", "MOD-42: values at the end of to-one paths"]),
        Flaw(kind: FlawedStore<LosesValues>.kind(), found: ["FET-19: one dictionary a group", "FET-15: equal"]),
        Flaw(kind: FlawedStore<CutsLargeValues>.kind(), found: ["STO-22"]),
    ]

    private static let named: NSPersistentStore.Capabilities = [.exactDecimals, .exactReals, .namesRecords]

    static let incrementalFlaws = [
        Flaw(kind: IgnoresWindows.kind(named), found: ["FET-07: pages"]),
        Flaw(kind: OverlooksSubentities.kind(named), found: ["FET-01", "FET-02"]),
        Flaw(kind: ForgetsSaves.kind(named), found: ["OBJ-09: an identifier carries"]),
        Flaw(kind: KeepsVersions.kind(named), found: ["CTX-21: two contexts"]),
        Flaw(kind: SortsMembers.kind(named), found: ["members move, enter in the middle"]),
        Flaw(kind: ReusesNames.kind(named), found: ["STO-17: keys are shared"]),
    ]

    @Test("the contract finds an incremental store that is wrong (STO-05, STO-07)", arguments: incrementalFlaws)
    func incrementalFlawIsFound(flaw: Flaw) throws { try flawIsFound(flaw: flaw) }

    @Test("the contract finds a store that is wrong (STO-07)", arguments: flaws)
    func flawIsFound(flaw: Flaw) throws {
        for part in flaw.found {
            let checks = StoreContract.checks(for: flaw.kind).filter { $0.name.contains(part) }
            #expect(!checks.isEmpty, "there is a check named \(part)")
            for check in checks {
                withKnownIssue("\(check.name)") { try check.run() }
            }
        }
    }

    @Test("the same store without a flaw passes (STO-05)", arguments: StoreContract.Subject.allCases)
    func layerWithoutFlawPasses(subject: StoreContract.Subject) throws {
        for check in StoreContract.checks(for: FlawedStore<PassingLayer>.kind(), about: [subject])
        where !check.name.hasPrefix("STO-12") { try check.run() }
    }

    @Test("a check that needs more than a kind declares is left out")
    func capabilitiesSelectChecks() {
        let all = StoreContract.checks(for: StoreKind(type: "", capabilities: [.durable, .shared, .exactReals]))
        let few = StoreContract.checks(for: StoreKind(type: "", capabilities: []))
        #expect(all.contains { $0.needs.contains(.shared) } && all.contains { $0.needs.contains(.exactReals) })
        #expect(few.allSatisfy { $0.needs == [] } && few.count > 100 && few.count < all.count)
        #expect(Set(all.map(\.name)).count == all.count)
    }
}
