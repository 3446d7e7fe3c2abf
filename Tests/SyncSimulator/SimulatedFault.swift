import CoreDataSync

/// A way in which an engine may be wrong: what the tests must notice. Each is put around the engine, none is in it.
package enum SimulatedFault: String, CaseIterable, Sendable {
    // Peers that follow another rule.
    case ruleByPeer
    case mergeByOrderOfArrival
    case uniqueConstraintIgnored
    case cascadeIgnored
    case denyIgnored
    case maximumIgnored
    case revivalIgnored
    // States that lose something.
    case tombstoneDroppedEarly
    case logDroppedEarly
    case backlinksLost
    case uniqueIndexLost
    case stateNotCommitted
    case rowsHalfCommitted
    case chunksDroppedEarly
    case chunksNotChecked
    // Transactions that arrive as others than were sent.
    case dependenciesDropped
    case timesRewritten
    case operationsLost
    case placesLost
    // Stores that do not notice what became of them.
    case copyKeepsIdentity
    case savesCapturedTwice

    /// The settings under which the fault can show.
    package func settings(_ drawn: SimulationSettings) -> SimulationSettings {
        var settings = drawn
        settings.fault = self
        settings.peers = max(3, drawn.peers)
        if self == .copyKeepsIdentity { settings.copies = true }
        switch self {
        case .maximumIgnored: settings.focus = .clubs
        case .revivalIgnored: settings.focus = .contracts
        case .mergeByOrderOfArrival: settings.focus = .words
        case .chunksDroppedEarly, .chunksNotChecked: settings.largeValues = true
        default: break
        }
        return settings
    }

    // MARK: Schemas

    func altered(_ schema: SyncSchema) throws -> SyncSchema {
        let entities = schema.entities.values.map { altered($0) }
        return try SyncSchema(entities: entities, relationships: schema.relationships.values.map { altered($0) })
    }

    private func altered(_ entity: SyncEntity) -> SyncEntity {
        let attributes = entity.attributes.map { attribute in
            guard self == .ruleByPeer, attribute.rule == .greatest || attribute.rule == .lastWriter else {
                return attribute
            }
            return SyncAttribute(attribute.name, id: attribute.id, rule: .least)
        }
        return SyncEntity(
            entity.name, id: entity.id, attributes: attributes,
            constraints: self == .uniqueConstraintIgnored ? [] : entity.constraints,
            deletion: self == .revivalIgnored ? .deletionWins : entity.deletion)
    }

    private func altered(_ pair: SyncRelationship) -> SyncRelationship {
        SyncRelationship(id: pair.id, source: altered(pair.source), target: pair.target.map { altered($0) })
    }

    private func altered(_ end: SyncRelationship.End) -> SyncRelationship.End {
        let isNullified =
            self == .cascadeIgnored && end.deleteRule == .cascade || self == .denyIgnored && end.deleteRule == .deny
        return SyncRelationship.End(
            end.entity, end.name, isToMany: end.isToMany, isOrdered: end.isOrdered,
            isMandatory: self == .cascadeIgnored ? false : end.isMandatory,
            maximumCount: self == .maximumIgnored ? 0 : end.maximumCount,
            deleteRule: isNullified ? .nullify : end.deleteRule)
    }

    var functions: MergeFunctions {
        guard self == .mergeByOrderOfArrival else { return SimulatedModel.functions }
        return ["join": { $0.first ?? .null }]
    }

    // MARK: Plans

    func altered(_ plan: SyncPlan, _ count: Int) -> SyncPlan {
        var altered = SyncPlan()
        altered.rows = self == .rowsHalfCommitted ? Array(plan.rows.prefix(max(1, plan.rows.count / 2))) : plan.rows
        if self == .stateNotCommitted, count % 8 == 7 { return altered }
        altered.state = plan.state.compactMap { kept($0, plan) }
        return altered
    }

    private func kept(_ entry: StateEntry, _ plan: SyncPlan) -> StateEntry? {
        switch (self, entry.key.first) {
        case (.backlinksLost, UInt8(ascii: "b")), (.uniqueIndexLost, UInt8(ascii: "u")),
            (.logDroppedEarly, UInt8(ascii: "t")):
            return nil
        case (.chunksDroppedEarly, UInt8(ascii: "k")): return nil
        case (.chunksNotChecked, UInt8(ascii: "k")):
            return StateEntry(key: entry.key, value: entry.value.map { [~($0.first ?? 0)] + $0.dropFirst() })
        case (.tombstoneDroppedEarly, UInt8(ascii: "o")):
            let grave = [UInt8(ascii: "d")] + entry.key.dropFirst()
            let isDeleted = plan.state.contains { $0.key == grave && $0.value != nil }
            return isDeleted ? StateEntry(key: entry.key, value: nil) : entry
        default: return entry
        }
    }

    // MARK: Frames

    /// A frame as it arrives.
    func altered(_ bytes: [UInt8]) throws -> [UInt8] {
        guard [.dependenciesDropped, .timesRewritten, .operationsLost, .placesLost].contains(self),
            case .transactions(let transactions) = try SyncFrame.decode(bytes)
        else { return bytes }
        return SyncFrame.encode(.transactions(transactions.map { altered($0) }))
    }

    private func altered(_ transaction: SyncTransaction) -> SyncTransaction {
        let operations = transaction.operations.enumerated().compactMap { index, operation -> SyncOperation? in
            if self == .operationsLost, index > 0, (index + Int(transaction.id.sequence)) % 4 == 0 { return nil }
            guard self == .placesLost, case .link(let link) = operation else { return operation }
            return .link(
                SyncLink(
                    relationship: link.relationship, source: link.source, target: link.target,
                    replacesTargets: link.replacesTargets, replacesSources: link.replacesSources, sourcePosition: nil,
                    targetPosition: nil))
        }
        let time = HybridTime(
            milliseconds: transaction.time.milliseconds ^ (transaction.id.author.rawValue & 0xFF_FFFF))
        return SyncTransaction(
            transaction.id, time: self == .timesRewritten ? time : transaction.time,
            dependencies: self == .dependenciesDropped ? [] : transaction.dependencies, carried: transaction.carried,
            generation: transaction.generation, operations: operations)
    }
}
