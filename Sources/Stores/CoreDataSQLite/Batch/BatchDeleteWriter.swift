import CoreDataSQL
import SQLiteKit

/// Carries out one batch deletion with statements that each process all rows of an entity.
///
/// It first collects the keys of all rows to delete, including cascades; then it nullifies references to them, as a
/// save of the same deletions would; then it deletes the rows.
struct BatchDeleteWriter {
    private let file: StoreFile
    private let batch: BatchDeletion
    private let mapping: EntityMapping
    private let selection: CompiledQuery
    private let cascaded: CascadedRows

    /// - Throws: `NSCoreDataError` for a query without SQL; the store has not been changed.
    init(_ batch: BatchDeletion, in file: StoreFile) throws {
        self.file = file
        self.batch = batch
        mapping = try file.mapping(of: batch.query.binding.layout)
        selection = try file.compiled { try $0.select(batch.query, columns: ["Z_PK", "Z_ENT"]) }
        cascaded = CascadedRows(file)
    }

    func run() throws -> BatchOutcome {
        try cascaded.open()
        let family = batch.query.includesSubentities ? mapping.familyNumbers : [mapping.number]
        try cascaded.add(selection, root: mapping.rootNumber, family: family)
        try cascaded.followCascades()
        try cascaded.requireNoDenial()
        try cascaded.requireNoEmptiedInverse()
        let plans = try cascaded.plans()
        let references = plans.flatMap { ReferenceToDeletedRows.all(to: $0, file) }
        var derivations = try derivations(references)
        for plan in plans { try cleanUp(plan.mapping) }
        for reference in references { try file.connection.execute(reference.removal) }
        let addresses = batch.report == .addresses ? try cascaded.addresses() : []
        let count = try deleteRows(plans)
        try cascaded.close()
        try derivations?.write()
        return BatchOutcome(count: count, addresses: addresses)
    }

    private func deleteRows(_ plans: [RowPlan]) throws -> Int {
        var count = 0
        for plan in plans {
            try file.connection.execute(
                "DELETE FROM \(SQLIdentifier.quoted(plan.mapping.table)) WHERE Z_PK IN "
                    + CascadedRows.keys(of: plan.mapping))
            count += file.connection.changes
        }
        return count
    }

    /// Deletes the rows' pairs from join tables, and marks the files of their large values for removal.
    private func cleanUp(_ mapping: EntityMapping) throws {
        let quoted = SQLIdentifier.quoted
        for toMany in mapping.toManys {
            guard case .join(let join) = toMany.storage else { continue }
            for column in join.isReflexive ? [join.ownColumn, join.otherColumn] : [join.ownColumn] {
                try file.connection.execute(
                    "DELETE FROM \(quoted(join.table)) WHERE \(quoted(column)) IN " + CascadedRows.keys(of: mapping))
            }
        }
        guard let values = LargeValueColumns(mapping) else { return }
        let query = values.query(where: "Z_PK IN " + CascadedRows.keys(of: mapping))
        try file.external.markReplaced(in: try file.connection.prepare(query))
    }

    /// Collects the derived values that the deletion changes; nil if the store has none to compute.
    private func derivations(_ references: [ReferenceToDeletedRows]) throws -> SQLiteDerivationWriter? {
        guard var writer = file.derivedColumns.map({ SQLiteDerivationWriter(file: file, columns: $0) }) else {
            return nil
        }
        for address in try cascaded.addresses() {
            writer.note(deleted: address.key, layout: address.binding.layout.number)
        }
        for reference in references {
            let statement = try file.connection.prepare(reference.query)
            while try statement.step() {
                guard let layout = file.plan(number: statement.int64(1))?.layout else { continue }
                var changed = SlotSet()
                if let name = reference.name, case .toOne(let slot) = layout.places[name] { changed.insert(slot) }
                writer.note(updated: statement.int64(0), layout: layout.number, changed)
            }
        }
        try writer.findFormerOwners()
        return writer
    }
}

/// A key column of other rows that refer to deleted rows and must be set to null.
struct ReferenceToDeletedRows {
    /// The name of the relationship that the column stores; nil for a to-many relationship of the deleted rows without
    /// inverse.
    let name: String?
    /// The name of the deleted rows' relationship whose other end the column stores.
    let relationship: String
    /// The entity number of the rows with the column.
    let destination: Int
    /// The statement that sets the keys to null; it increments the rows' versions if the relationship is one of their
    /// own.
    let removal: String
    /// The query for keys and entity numbers of these rows.
    let query: String

    /// Returns the columns that refer to rows of an entity: of members of to-many relationships and of one-to-one
    /// partners.
    static func all(to plan: RowPlan, _ file: StoreFile) -> [ReferenceToDeletedRows] {
        let mapping = plan.mapping
        let relationships = plan.layout.entity.relationshipsByName
        let members = mapping.toManys.compactMap { toMany -> ReferenceToDeletedRows? in
            guard case .foreignKey(let key) = toMany.storage else { return nil }
            guard toMany.inverse == nil || relationships[toMany.name]?.deleteRule == .nullifyDeleteRule else {
                return nil
            }
            return ReferenceToDeletedRows(
                toMany.inverse, end: (toMany.name, toMany.destination), table: key.table, column: key.column,
                entityColumn: key.entityColumn,
                condition: " \(key.sameOwner("", mapping))", mapping: mapping)
        }
        let partners = mapping.toOnes.compactMap { toOne -> ReferenceToDeletedRows? in
            guard relationships[toOne.name]?.deleteRule == .nullifyDeleteRule, let inverse = toOne.inverse,
                let target = file.schema.entity(number: toOne.destination), let back = target.toOne(inverse)
            else { return nil }
            return ReferenceToDeletedRows(
                inverse, end: (toOne.name, toOne.destination), table: target.table, column: back.column,
                entityColumn: back.entityColumn, condition: "", mapping: mapping)
        }
        return members + partners
    }

    private init(
        _ name: String?, end: (name: String, destination: Int), table: String, column: String,
        entityColumn: String?, condition: String,
        mapping: EntityMapping
    ) {
        let quoted = SQLIdentifier.quoted
        let chosen = "WHERE \(quoted(column)) IN \(CascadedRows.keys(of: mapping))\(condition)"
        let version = name == nil ? "" : ", Z_OPT = IFNULL(CAST(Z_OPT AS INTEGER), 0) + 1"
        let entity = entityColumn.map { ", \(quoted($0)) = NULL" } ?? ""
        self.name = name
        relationship = end.name
        destination = end.destination
        removal = "UPDATE \(quoted(table)) SET \(quoted(column)) = NULL\(entity)\(version) \(chosen)"
        query = "SELECT Z_PK, Z_ENT FROM \(quoted(table)) \(chosen)"
    }
}
