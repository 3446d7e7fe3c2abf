import CoreDataSQL
import SQLiteKit

/// The rows that a batch deletion deletes, in a temporary table of keys, which only this connection sees.
///
/// `root` is the number of the root entity, in whose table the row is; `entity` is the number of the row's own entity;
/// `round` is the number of cascades that lead to the row.
struct CascadedRows {
    static let table = "coredata_doomed"
    let file: StoreFile

    init(_ file: StoreFile) { self.file = file }

    /// Creates the table, empty.
    func open() throws {
        try file.connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS \(Self.table) (root INTEGER, key INTEGER, entity INTEGER, round INTEGER, "
                + "PRIMARY KEY (root, key)) WITHOUT ROWID")
        try file.connection.execute(
            "CREATE INDEX IF NOT EXISTS temp.\(Self.table)_round ON \(Self.table) (round, entity)")
        try close()
    }

    /// Empties the table.
    func close() throws { try file.connection.execute("DELETE FROM \(Self.table)") }

    /// Adds the rows that a query for keys and entity numbers selects; rows of unknown entities are not deleted.
    func add(_ query: CompiledQuery, root: Int, family: [Int]) throws {
        let numbers = family.map(String.init).joined(separator: ", ")
        let sql =
            "INSERT OR IGNORE INTO \(Self.table) (root, key, entity, round) SELECT \(root), Z_PK, Z_ENT, 0 "
            + "FROM (\(query.sql)) WHERE Z_ENT IN (\(numbers))"
        try file.prepare(query, as: sql).run()
    }

    /// Adds the rows reached by the delete rule Cascade, until there are no more.
    func followCascades() throws {
        var round: Int64 = 0
        var hasGrown = true
        while hasGrown {
            hasGrown = false
            for plan in try plans(round: round) {
                for end in plan.ends(with: .cascadeDeleteRule, file) {
                    try file.connection.execute(
                        "INSERT OR IGNORE INTO \(Self.table) (root, key, entity, round) SELECT \(end.root), t.Z_PK, "
                            + "t.Z_ENT, d.round + 1 \(end.source) AND d.round = ? AND t.Z_ENT IN (\(end.family))",
                        [.integer(round)])
                    if file.connection.changes > 0 { hasGrown = true }
                }
            }
            round += 1
        }
    }

    /// Throws `NSValidationRelationshipDeniedDeleteError` (1600) if the delete rule Deny forbids the deletion of a row.
    func requireNoDenial() throws {
        for plan in try plans() {
            for end in plan.ends(with: .denyDeleteRule, file) {
                let found = try file.connection.rows(
                    "SELECT d.key \(end.source) AND NOT EXISTS (SELECT 1 FROM \(Self.table) x WHERE x.root = \(end.root) "
                        + "AND x.key = t.Z_PK) LIMIT 1")
                guard let key = found.first?.first?.integer else { continue }
                throw CoreDataError.make(
                    NSValidationRelationshipDeniedDeleteError,
                    "'\(plan.mapping.name)' with the key \(key) cannot be deleted, since its relationship "
                        + "'\(end.relationship.name)' is not empty.",
                    hint: "Delete what it leads to first, or take it out of the relationship.",
                    userInfo: [NSValidationKeyErrorKey: end.relationship.name])
            }
        }
    }

    /// Returns the plans of the entities of the rows, of one round or of all.
    func plans(round: Int64? = nil) throws -> [RowPlan] {
        let condition = round == nil ? "" : " WHERE round = ?"
        return try file.connection.rows(
            "SELECT DISTINCT entity FROM \(Self.table)\(condition) ORDER BY entity", round.map { [.integer($0)] } ?? []
        ).compactMap { $0[0].integer.flatMap(file.plan(number:)) }
    }

    /// The addresses of all rows.
    func addresses() throws -> [RowAddress] {
        let statement = try file.connection.prepare("SELECT key, entity FROM \(Self.table) ORDER BY root, key")
        var addresses: [RowAddress] = []
        while try statement.step() {
            guard let plan = file.plan(number: statement.int64(1)) else { continue }
            addresses.append(RowAddress(binding: plan.binding, key: statement.int64(0)))
        }
        return addresses
    }

    /// The sub-query for the keys of the rows of one entity.
    static func keys(of mapping: EntityMapping) -> String {
        "(SELECT key FROM \(table) WHERE root = \(mapping.rootNumber) AND entity = \(mapping.number))"
    }
}

/// The other end of a relationship of the rows to delete.
struct CascadeEnd {
    let relationship: NSRelationshipDescription
    /// The number of the root entity of the rows at the other end.
    let root: Int
    /// The numbers of the entities that the rows can be of, separated by commas.
    let family: String
    /// The join from the keys `d.key` to the rows at the other end, `t`.
    let join: String
    /// FROM and WHERE: `d` are the rows to delete, `t` the rows at the other end.
    let source: String
}

extension RowPlan {
    /// Returns the other ends of the relationships with a delete rule; a relationship that is its own inverse has two.
    func ends(with rule: NSDeleteRule, _ file: StoreFile) -> [CascadeEnd] {
        layout.entity.relationshipsByName.values.filter { $0.deleteRule == rule && !$0.isTransient }
            .sorted { $0.name < $1.name }.flatMap { ends(of: $0, file) }
    }

    /// Returns the other ends of one relationship.
    func ends(of relationship: NSRelationshipDescription, _ file: StoreFile) -> [CascadeEnd] {
        let quoted = SQLIdentifier.quoted
        let number = mapping.toOne(relationship.name)?.destination ?? mapping.toMany(relationship.name)?.destination
        guard let number, let target = file.schema.entity(number: number) else { return [] }
        var joins: [String] = []
        if let toOne = mapping.toOne(relationship.name) {
            joins = [
                "JOIN \(quoted(mapping.table)) s ON s.Z_PK = d.key JOIN \(quoted(target.table)) t "
                    + "ON t.Z_PK = s.\(quoted(toOne.column))"
            ]
        } else if let toMany = mapping.toMany(relationship.name) {
            switch toMany.storage {
            case .foreignKey(let key):
                joins = [
                    "JOIN \(quoted(key.table)) t ON t.\(quoted(key.column)) = d.key\(key.sameOwner("t.", mapping))"
                ]
            case .join(let join):
                let columns = [(join.ownColumn, join.otherColumn)]
                joins = (columns + (join.isReflexive ? [(join.otherColumn, join.ownColumn)] : [])).map { own, other in
                    "JOIN \(quoted(join.table)) j ON j.\(quoted(own)) = d.key JOIN \(quoted(target.table)) t "
                        + "ON t.Z_PK = j.\(quoted(other))"
                }
            }
        }
        return joins.map { join in
            CascadeEnd(
                relationship: relationship, root: target.rootNumber,
                family: target.familyNumbers.map(String.init).joined(separator: ", "), join: join,
                source: "FROM \(CascadedRows.table) d \(join) WHERE d.root = \(mapping.rootNumber) "
                    + "AND d.entity = \(mapping.number)")
        }
    }
}

extension ToManyMapping.ForeignKey {
    /// The condition that the key refers to a row of the owner's entity; empty unless owners of several entities share
    /// the column.
    func sameOwner(_ alias: String, _ owner: EntityMapping) -> String {
        guard let column = entityColumn.map(SQLIdentifier.quoted) else { return "" }
        let numbers = owner.familyNumbers.map(String.init).joined(separator: ", ")
        return " AND (\(alias)\(column) IN (\(numbers)) OR \(alias)\(column) IS NULL)"
    }
}
