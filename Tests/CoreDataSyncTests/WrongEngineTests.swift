import SyncSimulator
import Testing

/// Engines that are wrong on purpose: the simulator must notice each of them.
@Suite("Wrong engines", .timeLimit(.minutes(30)))
struct WrongEngineTests {
    /// A seed that is known to show a fault, so that the others are tried only if it no longer does.
    private static let known: [SimulatedFault: UInt64] = [
        .ruleByPeer: 5, .mergeByOrderOfArrival: 34, .uniqueConstraintIgnored: 4, .cascadeIgnored: 17,
        .denyIgnored: 31, .revivalIgnored: 149, .tombstoneDroppedEarly: 31, .logDroppedEarly: 1,
        .backlinksLost: 3, .uniqueIndexLost: 4, .stateNotCommitted: 2, .rowsHalfCommitted: 1,
        .dependenciesDropped: 1, .timesRewritten: 1, .operationsLost: 1, .placesLost: 3,
        .copyKeepsIdentity: 2, .savesCapturedTwice: 1,
    ]

    @Test("each is noticed within 300 seeds (SYNC-01)", arguments: SimulatedFault.allCases)
    func isNoticed(_ fault: SimulatedFault) {
        if let seed = Self.known[fault], SimulationJudge.firstSeed(fault, in: seed...seed) != nil { return }
        #expect(SimulationJudge.firstSeed(fault, in: 1...300) != nil, "\(fault) went unnoticed")
    }
}
