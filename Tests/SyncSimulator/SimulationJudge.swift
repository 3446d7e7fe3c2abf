import CoreDataSync

/// Says what is wrong with the end of a simulation.
package enum SimulationJudge {
    /// Runs a seed.
    ///
    /// - Returns: What is wrong; empty if nothing is.
    package static func run(seed: UInt64) throws -> [String] {
        var simulation = try Simulation(seed: seed, try SimulationSettings.drawn(from: seed))
        try simulation.run()
        return try faults(simulation)
    }

    /// Runs seeds with a wrong engine until it is noticed.
    ///
    /// - Returns: The seed, with what was noticed; nil if none of the seeds shows the fault.
    package static func firstSeed(_ fault: SimulatedFault, in seeds: ClosedRange<UInt64>) -> (
        seed: UInt64, verdict: String
    )? {
        for seed in seeds {
            do {
                let settings = fault.settings(try SimulationSettings.drawn(from: seed))
                var simulation = try Simulation(seed: seed, settings)
                try simulation.run()
                if let verdict = try faults(simulation).first { return (seed, verdict) }
            } catch {
                return (seed, "\(error)")
            }
        }
        return nil
    }

    package static func faults(_ simulation: Simulation) throws -> [String] {
        guard simulation.faults.isEmpty else { return simulation.faults }
        return try differences(simulation) + lostSaves(simulation) + pending(simulation) + disagreements(simulation)
            + chunkFaults(simulation)
    }

    private static func differences(_ simulation: Simulation) -> [String] {
        guard let first = simulation.peers.first else { return [] }
        var faults: [String] = []
        for peer in simulation.peers.dropFirst() {
            if peer.engine?.meta.applied != first.engine?.meta.applied {
                faults.append("\(peer.name) did not apply the same")
            }
            faults += difference(shown(first, peer.part), shown(peer, first.part), first.name, peer.name)
        }
        return faults
    }

    /// Where the slow model has other rows than the first peer, which keeps all of them.
    private static func disagreements(_ simulation: Simulation) throws -> [String] {
        guard let peer = simulation.peers.first, let meta = peer.engine?.meta else { return [] }
        let schema = try SimulatedModel.schema(version: peer.version)
        let model = NaiveModel(simulation.transactions.applied(meta), applied: meta.applied, schema)
        return difference(model.rows(), peer.store.shown, "the slow model", peer.name)
    }

    /// The rows of a peer that another would keep as well.
    private static func shown(_ peer: SimulatedPeer, _ part: Set<String>?) -> [ObjectIdentity: SyncRow] {
        let rows = peer.store.shown
        guard let part else { return rows }
        var kept = rows.filter { part.contains($0.value.entity) }
        for id in kept.keys {
            guard var row = kept[id] else { continue }
            for (name, objects) in row.links {
                row.links[name] = objects.filter { rows[$0].map { part.contains($0.entity) } ?? false }
            }
            kept[id] = row
        }
        return kept
    }

    package static func difference(
        _ left: [ObjectIdentity: SyncRow], _ right: [ObjectIdentity: SyncRow], _ leftName: String, _ rightName: String
    ) -> [String] {
        var faults: [String] = []
        for id in Set(left.keys).union(right.keys).sorted() {
            guard let one = left[id] else {
                faults.append("\(id) (\(right[id]?.entity ?? "")) is at \(rightName) and not at \(leftName)")
                continue
            }
            guard let other = right[id] else {
                faults.append("\(id) (\(one.entity)) is at \(leftName) and not at \(rightName)")
                continue
            }
            for name in Set(one.values.keys).union(other.values.keys).sorted()
            where !isSame(one.values[name], other.values[name]) {
                faults.append(
                    "\(one.entity) \(id).\(name): \(one.values[name] ?? .null) at \(leftName), \(other.values[name] ?? .null) at \(rightName)"
                )
            }
            for name in Set(one.links.keys).union(other.links.keys).sorted()
            where one.links[name] ?? [] != other.links[name] ?? [] {
                faults.append(
                    "\(one.entity) \(id).\(name): \(one.links[name] ?? []) at \(leftName), \(other.links[name] ?? []) at \(rightName)"
                )
            }
        }
        return faults
    }

    private static func isSame(_ one: SyncValue?, _ other: SyncValue?) -> Bool {
        let empty = SyncValue.array([])
        let (left, right) = (one ?? .null, other ?? .null)
        return left == right || (left == empty && right.isNull) || (left.isNull && right == empty)
    }

    private static func lostSaves(_ simulation: Simulation) -> [String] {
        var faults: [String] = []
        for peer in simulation.peers {
            var found: [String: Int] = [:]
            for row in peer.store.rows.values where row.entity == "Witness" {
                if case .string(let text) = row.values["text"] { found[text, default: 0] += 1 }
            }
            let lost = simulation.witnesses.subtracting(found.keys).subtracting(simulation.doubtfulWitnesses)
            if !lost.isEmpty { faults.append("\(peer.name) lost the saves \(lost.sorted())") }
            for (text, count) in found.sorted(by: { $0.key < $1.key })
            where count > 1 && !simulation.repeatedWitnesses.contains(text) {
                faults.append("\(peer.name) has the save \(text) \(count) times")
            }
        }
        return faults
    }

    /// What is wrong with the chunks of large values; at rest nothing is kept that nothing names.
    private static func chunkFaults(_ simulation: Simulation) throws -> [String] {
        var faults: [String] = []
        for peer in simulation.peers {
            guard let engine = peer.engine else { continue }
            faults += try engine.chunkFaults(peer.store.state).map { "\(peer.name): \($0)" }
            let idle = try engine.idleChunkCount(peer.store.state)
            if idle > 0 { faults.append("\(peer.name) keeps \(idle) chunks that nothing names") }
        }
        return faults
    }

    private static func pending(_ simulation: Simulation) -> [String] {
        var faults: [String] = []
        for peer in simulation.peers {
            if let waiting = peer.engine?.waiting, !waiting.isEmpty {
                faults.append("\(peer.name): \(waiting.count) transactions wait")
            }
            if let absent = try? peer.engine?.absentValues(peer.store.state), !absent.isEmpty {
                faults.append("\(peer.name): \(absent.count) values are not here")
            }
            if peer.engine?.meta.rebase != nil { faults.append("\(peer.name) waits for a baseline") }
            if !peer.store.history.isEmpty { faults.append("\(peer.name) has saves without state") }
        }
        return faults
    }
}
