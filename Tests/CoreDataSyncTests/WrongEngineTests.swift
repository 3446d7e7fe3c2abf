import SyncSimulator
import Testing

/// Engines that are wrong on purpose: the simulator must notice each of them.
@Suite("Wrong engines", .timeLimit(.minutes(30)))
struct WrongEngineTests {
    /// A seed that is known to show a fault, so that the others are tried only if it no longer does.
    private static let known: [SimulatedFault: UInt64] = [
        .ruleByPeer: 12, .mergeByOrderOfArrival: 2, .uniqueConstraintIgnored: 1, .cascadeIgnored: 21,
        .denyIgnored: 75, .maximumIgnored: 31, .revivalIgnored: 2, .tombstoneDroppedEarly: 3, .logDroppedEarly: 1,
        .backlinksLost: 1, .uniqueIndexLost: 1, .stateNotCommitted: 2, .rowsHalfCommitted: 1, .chunksDroppedEarly: 1,
        .chunksNotChecked: 1,
        .dependenciesDropped: 1, .timesRewritten: 1, .operationsLost: 1, .placesLost: 1,
        .copyKeepsIdentity: 13, .savesCapturedTwice: 1,
    ]

    @Test("each is noticed within 300 seeds (SYNC-01)", arguments: SimulatedFault.allCases)
    func isNoticed(_ fault: SimulatedFault) {
        if let seed = Self.known[fault], SimulationJudge.firstSeed(fault, in: seed...seed) != nil { return }
        #expect(SimulationJudge.firstSeed(fault, in: 1...300) != nil, "\(fault) went unnoticed")
    }
}
