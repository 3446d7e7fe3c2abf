import CoreDataStore

extension RecordTables {
    /// Carries out a plan whole, or changes nothing.
    package func save(_ plan: SavePlan) -> SaveOutcome {
        let conflicts = conflicts(with: plan)
        guard conflicts.isEmpty else { return .conflicts(conflicts) }
        var writing = RecordWriting(plan, of: self)
        writing.deriveUniqueValues()
        var taking = UniqueTaking(constraints, of: self)
        taking.take(writing)
        guard taking.conflicts.isEmpty else { return .constraintConflicts(taking.conflicts) }
        for (number, change) in taking.changes.enumerated() { constraints[number].apply(change) }
        writing.carryOut()
        pack(writing.touchedEntities)
        return .saved(derived: writing.derived)
    }

    /// Rows that are not there in the version that the plan expects, and rows to insert whose keys are taken.
    private func conflicts(with plan: SavePlan) -> [RowAddress] {
        var conflicts: [RowAddress] = []
        for deletion in plan.deletions {
            let row = row(root: deletion.address.binding.layout.root, key: deletion.address.key)
            if row?.version != deletion.expectedVersion { conflicts.append(deletion.address) }
        }
        for lock in plan.locks {
            let row = row(root: lock.address.binding.layout.root, key: lock.address.key)
            if row?.version != lock.expectedVersion { conflicts.append(lock.address) }
        }
        for update in plan.updates where row(of: update)?.version != update.expectedVersion {
            conflicts.append(RowAddress(binding: update.slab.binding, key: update.key))
        }
        for insert in plan.inserts where row(of: insert) != nil {
            conflicts.append(RowAddress(binding: insert.slab.binding, key: insert.key))
        }
        return conflicts
    }

    /// The present row with the key of a row that is to be written.
    func row(of row: SavePlan.Row) -> RowReference? { self.row(root: row.slab.layout.root, key: row.key) }

    /// Puts sparse and small slabs of some entities together.
    private func pack(_ entities: Set<Int>) {
        for entity in entities {
            let root = roots[model.entities[entity].root]
            noteMade(
                shelves[entity].pack { key, slab, index in
                    root.places.set(RowPlace(entity: Int32(entity), slab: Int32(slab), index: Int32(index)), for: key)
                })
        }
    }
}
