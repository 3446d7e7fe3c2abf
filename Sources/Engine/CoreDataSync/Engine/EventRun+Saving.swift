extension EventRun {
    /// The greatest count of corrections of corrections.
    static let greatestGeneration: UInt8 = 8

    /// Captures what a save did, and corrects rows where the merged state is another.
    mutating func save(_ changes: [LocalChange]) throws {
        guard configuration.role == .writer else { return try refuse(changes) }
        try capture(changes, generation: 0)
        rows = try projector.changes(of: concerned, expected: expected)
    }

    /// Makes a transaction of changes that are in the store, or are to be.
    mutating func capture(_ changes: [LocalChange], generation: UInt8) throws {
        var capture = LocalCapture(view, nextID(), greatestValueSize: configuration.greatestValueSize)
        try capture.capture(changes)
        reports += capture.lost.map { .lostEdit($0) }
        assigned = capture.assigned
        if !capture.operations.isEmpty {
            try noteReplacedAbsent(capture.operations)
            if generation == 0 { expected.merge(capture.expected) { _, new in new } }
            try write(capture.operations, generation: generation)
        }
        try noteUnsent(capture)
    }

    /// Takes back what a reader saved.
    private mutating func refuse(_ changes: [LocalChange]) throws {
        var capture = LocalCapture(view, nextID(), greatestValueSize: configuration.greatestValueSize)
        try capture.capture(changes)
        for (object, row) in capture.expected {
            concerned.insert(object)
            // An inserted object has no record: its row goes.
            if try state.record(object) == nil, case .whole(let row) = row {
                rows.append(.delete(object, entity: row.entity, survivor: nil))
            }
        }
        expected = capture.expected
        assigned = capture.assigned
        markChanged()
        rows += try projector.changes(of: concerned, expected: expected.filter { try state.record($0.key) != nil })
        reports += changes.map { .refusedWrite($0.object) }
    }

    // MARK: Merging

    /// Applies transactions whose dependencies are applied, and prepares the rows with the program's corrections.
    ///
    /// - Returns: Why the program refused them; nil if it did not.
    mutating func merge(_ transactions: [SyncTransaction]) throws -> String? {
        var generation: UInt8 = 0
        var touched = TouchedObjects()
        for transaction in transactions {
            generation = max(generation, transaction.generation)
            let dependencies = state.dependencies(of: transaction)
            if !state.meta.clock.observe(transaction.time, at: now) {
                let ahead = transaction.time.milliseconds - now
                reports.append(.clockAhead(transaction.id.author, ahead))
            }
            try state.apply(transaction, &touched)
            try state.log(transaction, dependencies)
        }
        try update(touched)
        return try validate(generation)
    }

    mutating func validate(_ first: UInt8) throws -> String? {
        var generation = first
        while true {
            rows = try projector.changes(of: concerned, expected: expected)
            guard !rows.isEmpty else { return nil }
            switch configuration.validate(rows) {
            case .accepted: return nil
            case .refused(let reason): return reason
            case .corrected(let changes):
                guard generation < Self.greatestGeneration, configuration.role == .writer else {
                    reports.append(.endlessCorrections)
                    return nil
                }
                generation += 1
                let before = state.meta.applied
                try capture(changes, generation: generation)
                guard state.meta.applied != before else { return nil }
            }
        }
    }
}
