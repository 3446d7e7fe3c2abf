import CoreDataSync

/// A row of a simulated store, by a number of the store's own.
package struct StoredRow: Hashable, Sendable {
    package var entity: String
    package var values: [String: SyncValue]
    package var links: [String: [Int]]
}

/// A store in memory that commits rows and state together, as one in a database does.
package struct SimulatedStore: Sendable {
    package private(set) var rows: [Int: StoredRow] = [:]
    package var state = MemoryStorage()
    /// The chunks of the large values that rows have or had.
    var contents: [ChunkDigest: [UInt8]] = [:]
    /// Saves whose changes the state does not have yet, as persistent history keeps them.
    package private(set) var history: [[LocalChange]] = []
    package private(set) var numbers: [ObjectIdentity: Int] = [:]
    package private(set) var identities: [Int: ObjectIdentity] = [:]
    private var nextNumber = 1

    package init() {}

    package mutating func makeNumber() -> Int {
        nextNumber += 1
        return nextNumber - 1
    }

    // MARK: Saving

    /// Commits a save of the program, with its entry in the history.
    package mutating func save(_ changed: [Int: StoredRow?], _ changes: [LocalChange]) {
        for (number, row) in changed { rows[number] = row }
        history.append(changes)
    }

    /// The object of a row as the history names it.
    package func object(_ number: Int) -> LocalObject { identities[number].map { .known($0) } ?? .new(number) }

    /// The saves of the history as one: a plan must not be made for rows that a later save has changed by then.
    var pendingChanges: [LocalChange] {
        var order: [LocalObject] = []
        var merged: [LocalObject: LocalChange] = [:]
        for change in history.joined() {
            guard let known = merged[change.object] else {
                order.append(change.object)
                merged[change.object] = change
                continue
            }
            let kind = known.kind == .update || change.kind == .delete ? change.kind : known.kind
            merged[change.object] = LocalChange(
                change.object, kind, values: known.values.merging(change.values) { _, new in new },
                links: known.links.merging(change.links) { _, new in new })
        }
        // What was inserted and deleted in between was never there.
        return order.compactMap { merged[$0] }.filter { change in
            if case .new = change.object { return change.kind != .delete }
            return true
        }
    }

    // MARK: Merging

    /// Commits a plan.
    ///
    /// - Returns: What is wrong with the plan or with the rows afterwards; empty if all is well.
    package mutating func commit(
        _ plan: SyncPlan, _ assigned: [Int: ObjectIdentity], isCapture: Bool, _ rules: StoreRules
    ) -> [String] {
        var faults: [String] = []
        if isCapture { history.removeAll() }
        for (number, identity) in assigned {
            numbers[identity] = number
            identities[number] = identity
        }
        for case .insert(let row) in plan.rows {
            if let known = numbers[row.id] {
                // An object that is of another entity now gets another row, as in a database.
                guard let old = rows[known], old.entity != row.entity else { continue }
                rows[known] = nil
                identities[known] = nil
            }
            let number = makeNumber()
            numbers[row.id] = number
            identities[number] = row.id
        }
        for change in plan.rows { apply(change, &faults) }
        state.apply(plan.state)
        for case .insert(let row) in plan.rows { readChunks(of: row, &faults) }
        for case .update(let row) in plan.rows { readChunks(of: row, &faults) }
        return faults + (plan.rows.isEmpty ? [] : rules.faults(self))
    }

    private mutating func apply(_ change: RowChange, _ faults: inout [String]) {
        guard let number = numbers[change.object] else {
            faults.append("the plan changes \(change.object), which has no row")
            return
        }
        switch change {
        case .insert(let row):
            if rows[number] != nil { faults.append("the plan inserts \(row.id) twice") }
            rows[number] = StoredRow(entity: row.entity, values: row.values, links: resolved(row, &faults))
        case .update(let row):
            guard rows[number] != nil else { return faults.append("the plan updates \(row.id), which has no row") }
            rows[number]?.values.merge(row.values) { _, new in new }
            let links = resolved(row, &faults)
            rows[number]?.links.merge(links) { _, new in new }
        case .delete(let object, _, _), .evict(let object, _):
            if rows.removeValue(forKey: number) == nil { faults.append("the plan deletes \(object), which has no row") }
            numbers[object] = nil
            identities[number] = nil
        }
    }

    private func resolved(_ row: SyncRow, _ faults: inout [String]) -> [String: [Int]] {
        var links: [String: [Int]] = [:]
        for (name, objects) in row.links {
            links[name] = objects.compactMap { numbers[$0] }
            if links[name]?.count != objects.count { faults.append("\(row.id).\(name) names an object without a row") }
        }
        return links
    }

    /// Changes saves of the history, as a migration does that finds their rows in the new form.
    mutating func mapHistory(_ body: (LocalChange) -> LocalChange) { history = history.map { $0.map(body) } }

    mutating func mapRows(_ body: (inout StoredRow) -> Void) {
        for number in Array(rows.keys) {
            guard var row = rows[number] else { continue }
            body(&row)
            rows[number] = row
        }
    }

    // MARK: Comparing

    /// The rows by identity, for comparison between peers.
    package var shown: [ObjectIdentity: SyncRow] {
        var shown: [ObjectIdentity: SyncRow] = [:]
        for (number, row) in rows {
            guard let identity = identities[number] else { continue }
            var links: [String: [ObjectIdentity]] = [:]
            for (name, numbers) in row.links {
                let named = numbers.compactMap { identities[$0] }
                links[name] = name == "members" ? named : named.sorted()
            }
            shown[identity] = SyncRow(identity, entity: row.entity, values: row.values, links: links)
        }
        return shown
    }
}
