import CoreDataStore

extension RecordTables {
    /// Executes a plan completely, or changes nothing if there are conflicts.
    ///
    /// If `properties` is not nil, calls `changes` with the changes of the save; `changes` returns the number of the
    /// transaction.
    package func save(
        _ plan: SavePlan, recording properties: [HistoryProperties]? = nil,
        _ changes: (ChangeRecord) -> Int64? = { _ in nil }
    ) -> SaveOutcome {
        let conflicts = conflicts(with: plan)
        guard conflicts.isEmpty else { return .conflicts(conflicts) }
        var writing = RecordWriting(plan, of: self)
        writing.deriveUniqueValues()
        var taking = UniqueTaking(of: self)
        taking.take(writing)
        guard taking.conflicts.isEmpty else { return .constraintConflicts(taking.conflicts) }
        for (number, change) in taking.changes.enumerated() { constraints[number].apply(change) }
        var recording = properties.map { SaveRecording(plan, former: writing.formerRows, of: self, $0) }
        writing.carryOut()
        pack(writing.touchedEntities)
        recording?.noteChanges(derived: writing.derived)
        let transaction = recording.flatMap { changes($0.record) }
        return .saved(SaveReceipt(derived: writing.derived, transaction: transaction))
    }

    /// The rows of the plan whose stored version differs from the expected one, and the rows to insert whose keys exist
    /// already.
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

    /// The current row with the key of a row to write.
    func row(of row: SavePlan.Row) -> RowSnapshot? { self.row(root: row.slab.layout.root, key: row.key) }

    /// Copies the rows of sparse and of small slabs of some entities into fewer slabs.
    private func pack(_ entities: Set<Int>) {
        for entity in entities {
            let root = roots[model.entities[entity].root]
            noteMade(
                pools[entity].pack { key, slab, index in
                    root.places.set(
                        SlabPosition(entity: Int32(entity), slab: Int32(slab), index: Int32(index)), for: key)
                })
        }
    }
}
