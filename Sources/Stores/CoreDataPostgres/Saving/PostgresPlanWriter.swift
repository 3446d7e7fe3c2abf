import CoreDataSQL
import PostgresKit

/// Carries out one save plan within a transaction, in one round trip; changed orders of members take one more.
///
/// Used once: by `write(after:)`, or by `provenStatements()` if that returns statements.
///
/// Deletions come first, then rows that must be unchanged, updates, insertions, links, orders. The server reports only
/// the first duplicate value, so the writer searches for duplicates itself, and constraints are deferred to the end of
/// the transaction.
struct PostgresPlanWriter {
    private let session: PostgresSession
    private let plan: SavePlan
    private var statements: [PostgresStatement] = []
    /// The statements, by index, that must return the keys of all these rows.
    private var expected: [(statement: Int, addresses: [RowAddress])] = []
    /// The recording of the plan's changes, complete after writing; nil if the store records no history.
    private(set) var recording: PlanRecording?

    private var shape: PostgresShape { session.shape }
    private var schema: PostgresSchema { shape.schema }

    init(_ plan: SavePlan, _ session: PostgresSession, recording: PlanRecording? = nil) {
        self.plan = plan
        self.session = session
        self.recording = recording
    }

    /// The maximum number of rows in a plan for which `provenStatements()` returns statements.
    private static let mostProvenRows = 16
    /// The SQLSTATE of a statement that did not find all expected rows: division by zero.
    static let unproven = "22012"

    /// Returns the statements of a small plan if none of their results is needed, so that they can be sent together
    /// with COMMIT; otherwise nil.
    ///
    /// A statement fails (`unproven`) if a row does not have the expected version. Violations of uniqueness constraints
    /// are detected by the server at the end of the transaction.
    mutating func provenStatements() throws -> [PostgresStatement]? {
        let count = plan.updates.count + plan.inserts.count + plan.deletions.count + plan.locks.count + plan.links.count
        var asking = recording
        guard count <= Self.mostProvenRows, plan.orders.isEmpty, shape.derivedColumns == nil,
            try asking?.questions().isEmpty ?? true
        else { return nil }
        try addRows()
        for (statement, addresses) in expected {
            let plain = statements[statement]
            statements[statement] = PostgresStatement(
                "WITH r AS (\(plain.sql)) SELECT 1 / (count(*) = $\(plain.parameters.count + 1)::int8)::int4 FROM r",
                plain.parameters + [.integer(Int64(addresses.count))])
        }
        recording?.note([])
        return statements
    }

    /// Writes the plan, preceded by the transaction's first statements; returns the values that the store computed.
    ///
    /// - Throws: `SaveRefusal` if rows do not have the expected versions, or a uniqueness constraint would be violated.
    mutating func write(after beginning: [PostgresStatement]) throws -> DerivedChanges {
        var derivations = PostgresDerivationWriter(session)
        try derivations?.prepare(for: plan, after: beginning)
        if derivations == nil { statements = beginning }
        let questionsStart = statements.count
        statements += try recording?.questions() ?? []
        let questionsEnd = statements.count
        try addRows()
        let uniqueness = try PostgresUniquenessSearch(plan.updates + plan.inserts, shape)
        let orders = try plan.orders.compactMap { try OrderWriter($0, shape) }
        let ordersStart = statements.count
        statements += orders.map(\.query)
        let searchesStart = statements.count
        statements += uniqueness.statements
        let results = try session.connection.pipeline(statements)
        try requireExpected(results)
        recording?.note(results[questionsStart..<questionsEnd])
        try uniqueness.requireUnique(Array(results[searchesStart...]))
        var places: [PostgresStatement] = []
        for (number, order) in orders.enumerated() {
            let result = results[ordersStart + number]
            places += try order.statements(after: result)
            if recording != nil, order.changesOrder(after: result) { recording?.noteOrder(order.order) }
        }
        if !places.isEmpty { _ = try session.connection.pipeline(places) }
        try derivations?.write()
        let derived = derivations?.changes ?? DerivedChanges()
        recording?.note(derived)
        return derived
    }

    // MARK: Rows

    private mutating func addRows() throws {
        try addDeletions()
        try addLocks()
        try addUpdates()
        try addInsertions()
        try addLinks()
    }

    private mutating func expect(_ statement: PostgresStatement, _ addresses: [RowAddress]) {
        expected.append((statements.count, addresses))
        statements.append(statement)
    }

    private mutating func addDeletions() throws {
        for group in grouped(plan.deletions, by: { $0.address.binding.layout.number }) {
            guard let layout = group.first?.address.binding.layout else { continue }
            let table = try shape.table(of: layout)
            let keys = PostgresParameter.integers(group.map(\.address.key))
            expect(
                PostgresStatement(
                    "DELETE FROM \(schema.table(table.mapping.table)) t USING unnest($1::int8[], $2::int8[]) AS u(k, e) "
                        + "WHERE t.Z_PK = u.k AND coalesce(t.Z_OPT, 0) = u.e RETURNING t.Z_PK",
                    [keys, .integers(group.map(\.expectedVersion))]), group.map(\.address))
            for cleanup in table.mapping.toManys.flatMap({ LinkBatch.cleanups(of: $0, schema) }) {
                statements.append(PostgresStatement(cleanup, [keys]))
            }
        }
    }

    private mutating func addLocks() throws {
        for group in grouped(plan.locks, by: { $0.address.binding.layout.number }) {
            guard let layout = group.first?.address.binding.layout else { continue }
            let table = schema.table(try shape.table(of: layout).mapping.table)
            expect(
                PostgresStatement(
                    "SELECT t.Z_PK FROM \(table) t JOIN unnest($1::int8[], $2::int8[]) AS u(k, e) "
                        + "ON t.Z_PK = u.k AND coalesce(t.Z_OPT, 0) = u.e FOR SHARE OF t",
                    [.integers(group.map(\.address.key)), .integers(group.map(\.expectedVersion))]),
                group.map(\.address))
        }
    }

    private mutating func addUpdates() throws {
        struct Shape: Hashable {
            let layout: Int
            let slots: SlotSet
        }
        for group in grouped(plan.updates, by: { Shape(layout: $0.slab.layout.number, slots: $0.changed) }) {
            guard let first = group.first else { continue }
            let batch = RowBatch(try shape.table(of: first.slab.layout), shape, updating: first.changed)
            for rows in chunks(of: group) { expect(try batch.update(of: rows), rows.map(\.address)) }
        }
    }

    private mutating func addInsertions() throws {
        for group in grouped(plan.inserts, by: { $0.slab.layout.number }) {
            guard let first = group.first else { continue }
            let batch = RowBatch(try shape.table(of: first.slab.layout), shape)
            for rows in chunks(of: group) { statements.append(try batch.insertion(of: rows)) }
        }
    }

    private func chunks(of rows: [SavePlan.Row]) -> [ArraySlice<SavePlan.Row>] {
        stride(from: 0, to: rows.count, by: RowBatch.mostRows).map {
            rows[$0..<min($0 + RowBatch.mostRows, rows.count)]
        }
    }

    // MARK: Links

    /// Links are removed before others are added, so that a member that moves to another owner keeps the new one.
    private mutating func addLinks() throws {
        struct Place: Hashable {
            let relationship: ObjectIdentifier
            let owner: Int
        }
        for isRemoval in [true, false] {
            let links = plan.links.filter { $0.isRemoval == isRemoval }
            let groups = grouped(links) {
                Place(relationship: ObjectIdentifier($0.relationship), owner: $0.owner.binding.layout.number)
            }
            for group in groups {
                guard let first = group.first else { continue }
                let mapping = try shape.table(of: first.owner.binding.layout).mapping
                guard let toMany = mapping.toMany(first.relationship.name) else { continue }
                statements.append(
                    LinkBatch(toMany, owner: mapping.number, schema).statement(group, isRemoval: isRemoval))
            }
        }
    }

    /// Groups elements by a key, in the order in which the keys first appear.
    private func grouped<Element, Mark: Hashable>(_ elements: [Element], by mark: (Element) -> Mark) -> [[Element]] {
        var places: [Mark: Int] = [:]
        var groups: [[Element]] = []
        for element in elements {
            let mark = mark(element)
            if let place = places[mark] {
                groups[place].append(element)
            } else {
                places[mark] = groups.count
                groups.append([element])
            }
        }
        return groups
    }

    // MARK: Answers

    private func requireExpected(_ results: [PostgresResult]) throws {
        var conflicts: [RowAddress] = []
        for (statement, addresses) in expected where results[statement].rowCount < addresses.count {
            let result = results[statement]
            let found = Set((0..<result.rowCount).compactMap { result.int64($0, 0) })
            conflicts += addresses.filter { !found.contains($0.key) }
        }
        guard conflicts.isEmpty else { throw SaveRefusal(outcome: .conflicts(conflicts)) }
    }
}
