import CoreDataStore

extension RecordLoading {
    /// Checks that the records are consistent, and adds them to the tables.
    ///
    /// - Throws: a `LoadFailure`; the tables are unchanged then.
    package mutating func finish() throws {
        try resolveReferences()
        var pairs: [Int: [KeyPair]] = [:]
        for layout in tables.model.entities {
            for relationship in layout.toMany where relationship.entity === layout.entity {
                try check(relationship, &pairs)
            }
        }
        if faults != nil { try checkRules() }
        for slab in slabs { tables.place([RowRun(slab: slab, range: 0..<slab.count)]) }
        fillIndexes()
        for (number, pairs) in pairs { tables.links[number].change(removing: [], adding: pairs) }
        setOrders()
        fillConstraints()
        for slab in slabs {
            for index in 0..<slab.count { tables.noteKey(slab.key(index), root: slab.layout.root) }
        }
    }

    // MARK: Filling the tables

    private func fillIndexes() {
        var added = tables.indexes.map { _ in [KeyPair]() }
        for slab in slabs {
            for index in 0..<slab.count {
                RecordWriting.note(RowSnapshot(slab: slab, index: index), in: &added, tables.plan)
            }
        }
        for number in tables.indexes.indices { tables.indexes[number].change(removing: [], adding: added[number]) }
    }

    private func setOrders() {
        for layout in tables.model.entities {
            for relationship in layout.toMany where relationship.isOrdered && relationship.entity === layout.entity {
                guard let source = tables.plan.source(of: relationship) else { continue }
                for list in lists[ObjectIdentifier(relationship)] ?? [] {
                    switch source {
                    case .index(let number): tables.indexes[number].setOrder(of: list.members, owner: list.owner)
                    case .links(let number, let backwards):
                        tables.links[number].setOrder(of: list.members, owner: list.owner, backwards: backwards)
                    }
                }
            }
        }
    }

    /// Accepts rows of the file that violate constraints; only saves must not add further violations.
    private func fillConstraints() {
        for number in tables.constraints.indices {
            var change = UniqueIndex.Change()
            for slab in slabs {
                for index in 0..<slab.count {
                    _ = tables.constraints[number].take(RowSnapshot(slab: slab, index: index), in: &change)
                }
            }
            tables.constraints[number].apply(change)
        }
    }
}
