import CoreDataSQL
import SQLiteKit

extension StoreFile: RowSaving {
    package func save(demand: KeyDemand, plan makePlan: (KeyGrant) throws -> SavePlan) throws -> SaveOutcome {
        changedByTriggers = []
        var wasCommitted = false
        defer { external.settle(wasCommitted: wasCommitted) }
        do {
            let outcome: SaveOutcome = try reporting("be saved") {
                try connection.transaction(.immediate) {
                    try requireSameFile()
                    let plan = try makePlan(try grantKeys(demand))
                    try write(plan)
                    try recordIdentifier()
                    try recordMetadata()
                    return .saved(alsoChanged: changedByTriggers)
                }
            }
            wasCommitted = true
            provenVersion = connection.dataVersion
            checkedRoots.formUnion(demand.counts.keys)
            unrecordedIdentifier = nil
            store.hasUnsavedMetadata = false
            return outcome
        } catch let conflict as SaveConflict {
            return .conflicts(conflict.addresses)
        }
    }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant {
        let grant = try reporting("give out keys") {
            try connection.transaction(.immediate) { try grantKeys(demand) }
        }
        checkedRoots.formUnion(demand.counts.keys)
        return grant
    }

    // MARK: Keys

    /// The next keys after the greatest one ever given out, which `Z_PRIMARYKEY` remembers for each root entity.
    ///
    /// A record below the greatest key in the table is corrected; the end of the range is refused.
    private func grantKeys(_ demand: KeyDemand) throws -> KeyGrant {
        var first: [Int: Int64] = [:]
        for (root, count) in demand.counts {
            guard let mapping = rootMapping(root) else { continue }
            let greatest = try greatestKey(mapping, isChecked: checkedRoots.contains(root))
            let (last, overflow) = greatest.addingReportingOverflow(Int64(count))
            guard !overflow else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "The store '\(url.path)' cannot be saved: the table \(mapping.table) has used the last key there is.",
                    hint: "Move the objects of the entity '\(mapping.name)' to a new store.")
            }
            first[root] = greatest + 1
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) "
                    + "ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3",
                [.integer(Int64(mapping.number)), .text(mapping.name), .integer(last)])
        }
        return KeyGrant(firstByRoot: first)
    }

    /// The record alone is asked once a committed transaction has corrected it.
    private func greatestKey(_ mapping: EntityMapping, isChecked: Bool) throws -> Int64 {
        let recorded =
            try connection.value(
                "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(mapping.number))])?.integer ?? 0
        guard !isChecked else { return max(0, recorded) }
        let table = SQLIdentifier.quoted(mapping.table)
        let actual = try connection.value("SELECT max(Z_PK) FROM \(table)")?.integer ?? 0
        return max(0, recorded, actual)
    }

    private func rootMapping(_ root: Int) -> EntityMapping? {
        layouts.entities.first { $0.root == root }
            .flatMap { schema.entity(named: $0.entity.name ?? "") }
            .flatMap { schema.entity(number: $0.rootNumber) }
    }

    /// A file that was replaced under us, or got another store's content, must not be written to as if it were ours.
    private func requireSameFile() throws {
        guard !connection.fileHasMoved else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The file '\(url.path)' was deleted, renamed or replaced while it was open.",
                hint: "Open the store again and save the objects there.")
        }
        guard connection.dataVersion != provenVersion, unrecordedIdentifier == nil else { return }
        let actual = try connection.value("SELECT Z_UUID FROM Z_METADATA LIMIT 1")?.text
        guard actual == store.identifier else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The store in the file '\(url.path)' was replaced by another while it was open.",
                hint: "Remove the store from the coordinator, add it again, and make the changes there.")
        }
    }

    private func recordIdentifier() throws {
        guard let unrecordedIdentifier else { return }
        try connection.execute("UPDATE Z_METADATA SET Z_UUID = ?", [.text(unrecordedIdentifier)])
    }

    private func recordMetadata() throws {
        guard store.hasUnsavedMetadata else { return }
        // What the store says of itself may have been changed by another process meanwhile.
        let present = try StoreMetadata.read(connection, url)
        let values = MetadataRules.merged(store.metadata ?? [:], keeping: present.values)
        try StoreMetadata.rewrite(values, in: connection, url)
    }

    // MARK: Rows

    private func write(_ plan: SavePlan) throws {
        var conflicts: [RowAddress] = []
        for deletion in plan.deletions {
            if try !delete(deletion) { conflicts.append(deletion.address) }
        }
        for row in plan.updates {
            if try !update(row) { conflicts.append(RowAddress(binding: row.slab.binding, key: row.key)) }
        }
        guard conflicts.isEmpty else { throw SaveConflict(addresses: conflicts) }
        for row in plan.inserts { try insert(row) }
        // Removals first, so that a member that moves from one owner to another keeps the new one.
        for link in plan.links where link.isRemoval { try write(link) }
        for link in plan.links where !link.isRemoval { try write(link) }
        for order in plan.orders { try write(order) }
    }

    private func insert(_ row: SavePlan.Row) throws {
        guard let plan = plan(for: row) else { return }
        let statement = try connection.prepare(plan.insertion)
        try statement.bind(row.key, at: 1)
        try statement.bind(Int64(plan.mapping.number), at: 2)
        try statement.bind(row.version, at: 3)
        for (index, field) in plan.fields.enumerated() { try bind(row, field, statement, at: index + 4) }
        try statement.run()
    }

    /// Writes the changed columns over a row of the expected version; false when there is none.
    private func update(_ row: SavePlan.Row) throws -> Bool {
        guard let plan = plan(for: row) else { return true }
        let fields = plan.fields.filter {
            row.changed.contains($0.slot) || $0.isEntityNumber && row.changed.contains($0.slot - 1)
        }
        let sets = ["Z_OPT = ?"] + fields.map { SQLIdentifier.quoted($0.column) + " = ?" }
        let sql =
            "UPDATE \(SQLIdentifier.quoted(plan.mapping.table)) SET \(sets.joined(separator: ", ")) "
            + "WHERE Z_PK = ? AND IFNULL(CAST(Z_OPT AS INTEGER), 0) = ?"
        let statement = try connection.prepare(sql)
        try statement.bind(row.version, at: 1)
        for (index, field) in fields.enumerated() { try bind(row, field, statement, at: index + 2) }
        try statement.bind(row.key, at: fields.count + 2)
        try statement.bind(row.expectedVersion, at: fields.count + 3)
        try statement.run()
        return connection.changes == 1
    }

    /// Deletes a row of the expected version and its pairs in join tables; false when there is no such row.
    private func delete(_ deletion: SavePlan.Deletion) throws -> Bool {
        let mapping = try mapping(of: deletion.address.binding.layout)
        try connection.execute(
            "DELETE FROM \(SQLIdentifier.quoted(mapping.table)) WHERE Z_PK = ? AND IFNULL(CAST(Z_OPT AS INTEGER), 0) = ?",
            [.integer(deletion.address.key), .integer(deletion.expectedVersion)])
        guard connection.changes == 1 else { return false }
        for toMany in mapping.toManys { try removeLinks(of: toMany, owner: deletion.address.key) }
        return true
    }

    /// Takes what refers to a deleted row out of join tables, and out of members' rows that know no inverse.
    private func removeLinks(of toMany: ToManyMapping, owner: Int64) throws {
        let quoted = SQLIdentifier.quoted
        switch toMany.storage {
        case .join(let join):
            for column in join.isReflexive ? [join.ownColumn, join.otherColumn] : [join.ownColumn] {
                try connection.execute(
                    "DELETE FROM \(quoted(join.table)) WHERE \(quoted(column)) = ?", [.integer(owner)])
            }
        case .foreignKey(let key) where toMany.inverse == nil:
            try connection.execute(
                "UPDATE \(quoted(key.table)) SET \(quoted(key.column)) = NULL WHERE \(quoted(key.column)) = ?",
                [.integer(owner)])
        case .foreignKey: return
        }
    }

    private func write(_ link: SavePlan.LinkChange) throws {
        let mapping = try mapping(of: link.owner.binding.layout)
        guard let toMany = mapping.toMany(link.relationship.name) else { return }
        let quoted = SQLIdentifier.quoted
        let pair: [Value] = [.integer(link.owner.key), .integer(link.member.key)]
        switch (toMany.storage, link.isRemoval) {
        case (.join(let join), false):
            try connection.execute(
                "INSERT OR IGNORE INTO \(quoted(join.table)) (\(quoted(join.ownColumn)), \(quoted(join.otherColumn))) "
                    + "VALUES (?, ?)", pair)
        case (.join(let join), true):
            try connection.execute(
                "DELETE FROM \(quoted(join.table)) WHERE \(quoted(join.ownColumn)) = ? AND \(quoted(join.otherColumn)) = ?",
                pair)
        case (.foreignKey(let key), false):
            let entity = key.entityColumn.map { ", \(quoted($0)) = \(mapping.number)" } ?? ""
            try connection.execute(
                "UPDATE \(quoted(key.table)) SET \(quoted(key.column)) = ?\(entity) WHERE Z_PK = ?", pair)
        case (.foreignKey(let key), true):
            // Another owner may have taken the member in the same save.
            try connection.execute(
                "UPDATE \(quoted(key.table)) SET \(quoted(key.column)) = NULL "
                    + "WHERE \(quoted(key.column)) = ? AND Z_PK = ?", pair)
        }
    }

    private func plan(for row: SavePlan.Row) -> RowPlan? {
        plan(number: entityNumber(ofLayout: row.slab.layout.number))
    }

    private func bind(_ row: SavePlan.Row, _ field: RowPlan.Field, _ statement: Statement, at index: Int) throws {
        let slab = row.slab
        if let element = field.element { return try bindElement(element, of: row, field.slot, statement, at: index) }
        switch slab.tag(row.index, field.slot) {
        case RowTag.integer where field.isEntityNumber:
            try statement.bind(entityNumber(ofLayout: Int(slab.integer(row.index, field.slot))), at: index)
        case RowTag.integer: try statement.bind(slab.integer(row.index, field.slot), at: index)
        case RowTag.real: try statement.bind(slab.real(row.index, field.slot), at: index)
        case RowTag.text: try statement.bind(text: slab.bytes(row.index, field.slot), at: index, .borrowed)
        case RowTag.blob: try statement.bind(blob: slab.bytes(row.index, field.slot), at: index, .borrowed)
        default: try statement.bindNull(at: index)
        }
    }

    private func bindElement(
        _ element: Int, of row: SavePlan.Row, _ slot: Int, _ statement: Statement, at index: Int
    ) throws {
        let isNull = row.slab.tag(row.index, slot) != RowTag.blob
        let elements = isNull ? [] : CompositeCoding.elements(in: row.slab.bytes(row.index, slot))
        guard element < elements.count else { return try statement.bindNull(at: index) }
        let value = elements[element]
        switch value.tag {
        case RowTag.integer: try statement.bind(value.integer, at: index)
        case RowTag.real: try statement.bind(value.real, at: index)
        case RowTag.text: try statement.bind(text: value.bytes, at: index, .borrowed)
        case RowTag.blob: try statement.bind(blob: value.bytes, at: index, .borrowed)
        default: try statement.bindNull(at: index)
        }
    }
}

/// Rows were not of the expected version: the transaction is taken back.
private struct SaveConflict: Error {
    let addresses: [RowAddress]
}

extension StoreFile: ObjectStore {}
