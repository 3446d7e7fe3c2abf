import CoreDataSync

/// What a database would refuse: checked on the rows after every commit, without a look at the state of sync.
package struct StoreRules: Sendable {
    let schema: SyncSchema

    package init(_ schema: SyncSchema) { self.schema = schema }

    package func faults(_ store: SimulatedStore) -> [String] {
        var faults: [String] = []
        var claimed: [String: Int] = [:]
        for (number, row) in store.rows.sorted(by: { $0.key < $1.key }) {
            guard let entity = schema.entity(named: row.entity) else { continue }
            for constraint in entity.constraints {
                let values = constraint.attributes.map { id in
                    entity.attributes.first { $0.id == id }.flatMap { row.values[$0.name] } ?? .null
                }
                guard !values.contains(where: \.isNull) else { continue }
                if let other = claimed.updateValue(number, forKey: "\(constraint.id) \(values)") {
                    faults.append("rows \(other) and \(number) of \(row.entity) share \(values)")
                }
            }
            faults += self.faults(of: number, row, entity, store)
        }
        return faults
    }

    private func faults(of number: Int, _ row: StoredRow, _ entity: SyncEntity, _ store: SimulatedStore) -> [String] {
        var faults: [String] = []
        for pair in entity.outgoing {
            let targets = row.links[pair.source.name] ?? []
            if pair.source.isMandatory, targets.isEmpty {
                faults.append("\(row.entity) \(number) has no \(pair.source.name)")
            }
            if !pair.source.isToMany, targets.count > 1 {
                faults.append("\(row.entity) \(number) has two \(pair.source.name)")
            }
            if pair.source.maximumCount > 0, targets.count > pair.source.maximumCount {
                faults.append("\(row.entity) \(number) has \(targets.count) \(pair.source.name)")
            }
            if Set(targets).count < targets.count {
                faults.append("\(row.entity) \(number) doubles \(pair.source.name)")
            }
            for target in targets {
                guard let other = store.rows[target] else {
                    faults.append("\(row.entity) \(number).\(pair.source.name) names a missing row")
                    continue
                }
                if let end = pair.target, end.isOrdered || !end.isToMany,
                    other.links[end.name]?.contains(number) != true
                {
                    faults.append("\(row.entity) \(number).\(pair.source.name) has no inverse")
                }
            }
        }
        for pair in entity.incoming {
            guard let end = pair.target, let sources = row.links[end.name] else { continue }
            if !end.isToMany, sources.count > 1 { faults.append("\(row.entity) \(number) has two \(end.name)") }
            if Set(sources).count < sources.count { faults.append("\(row.entity) \(number) doubles \(end.name)") }
            for source in sources where store.rows[source]?.links[pair.source.name]?.contains(number) != true {
                faults.append("\(row.entity) \(number).\(end.name) has no inverse")
            }
        }
        return faults
    }
}
