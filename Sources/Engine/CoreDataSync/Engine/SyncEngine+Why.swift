/// Who wrote the values of an attribute, and which of them is shown.
package struct Explanation: Hashable, Sendable {
    /// A value that was written without knowledge of the others.
    package struct Candidate: Hashable, Sendable {
        package let write: Write
        /// The object to which it was written: another than the one that was asked for, if both have become one.
        package let object: ObjectIdentity
        /// Whether the value is shown; under `counter`, `set` and the program's rules several are.
        package let isShown: Bool
    }

    /// The object as which the one that was asked for is shown.
    package let survivor: ObjectIdentity
    package let rule: MergeRule
    package let value: SyncValue
    /// The values, the earliest first; more than one where peers wrote without knowing of each other.
    package let candidates: [Candidate]
    /// What each peer added to a counter.
    package let sums: [PeerID: SyncValue]
}

extension SyncEngine {
    /// Says why an attribute has its value: who wrote what when, by which rule it was chosen, and what lost.
    ///
    /// A value that lost is put back by a save that writes it.
    ///
    /// - Returns: nil for an object that is not shown, or an attribute that its entity lacks.
    package func why(
        _ object: ObjectIdentity, _ attribute: String, _ storage: any SyncStorage
    ) throws -> Explanation? {
        let state = SyncState(storage, configuration.schema, meta)
        let view = ObjectView(state: state, functions: configuration.functions)
        guard let survivor = try view.survivor(object), let entity = try view.entity(survivor),
            let attribute = entity.attribute(named: attribute)
        else { return nil }
        let members = try view.members(survivor)
        let value = try view.value(of: members, attribute, entity)
        let counted = Set(try view.contributors(members, attribute, entity))
        var candidates: [Explanation.Candidate] = []
        var sums: [PeerID: SyncValue] = [:]
        for member in members {
            guard let record = try state.record(member) else { continue }
            for write in record.writes[attribute.id].map(\.write) {
                let isShown = counted.contains(member) && Self.isShown(write.value, value, attribute.rule)
                candidates.append(Explanation.Candidate(write: write, object: member, isShown: isShown))
            }
            for (peer, sum) in record.sums[attribute.id] ?? [:] { sums[peer] = (sums[peer] ?? .null).adding(sum.value) }
        }
        candidates.sort { Write.isEarlier($0.write, $1.write) }
        if case .custom = attribute.rule, candidates.contains(where: { $0.write.value == value }) {
            // The function chose a value, rather than making one of all of them.
            candidates = candidates.map {
                Explanation.Candidate(write: $0.write, object: $0.object, isShown: $0.write.value == value)
            }
        }
        return Explanation(
            survivor: survivor, rule: attribute.rule, value: value, candidates: candidates, sums: sums)
    }

    private static func isShown(_ written: SyncValue, _ value: SyncValue, _ rule: MergeRule) -> Bool {
        switch rule {
        case .counter, .set, .custom: true
        case .lastWriter, .firstWriter, .greatest, .least: written == value
        }
    }
}
