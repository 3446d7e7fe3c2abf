import CoreDataStore

/// The statements that make the tables of one model out of those of another, in one database.
///
/// Nothing but SQL touches the rows, so memory does not grow with them. Order of the steps:
///
/// 1. numbers are checked that get another type; triggers go;
/// 2. tables that need the rows of others, or of which something goes, are made under other names from the tables of before;
/// 3. indexes go that the new schema does not have as they stand, and other tables are changed in place;
/// 4. tables of before go or get out of the way, the new ones take their names;
/// 5. places in ordered relationships, numbers of entities at other ends, keys that lead nowhere any more;
/// 6. indexes are made, and `Z_PRIMARYKEY` written;
/// 7. after the caller has computed derived values: constraints are checked, unique indexes and triggers made.
package struct SchemaMigration {
    /// Everything up to the point at which derived values can be computed.
    package private(set) var steps: [MigrationStep] = []
    /// What comes after that.
    package private(set) var closing: [MigrationStep] = []
    /// The numbers of the kept entities by those of before.
    package var entityNumbers: [Int: Int] { correspondence.numbers }
    /// The names of the entities whose rows are dropped, with their numbers of before.
    package var droppedEntities: [EntityMapping] { correspondence.dropped }
    /// The tables of both models, in upper case.
    package var tableNames: Set<String> {
        Set((correspondence.old.schema.tables + correspondence.new.schema.tables).map { $0.name.uppercased() })
    }
    /// The entities whose rows are kept.
    package var keptEntities: [KeptEntity] {
        correspondence.kept.map { pair in
            KeptEntity(
                before: pair.before, after: pair.after,
                names: Dictionary(
                    pair.origins.map { ($0.value.name, $0.key) }, uniquingKeysWith: { first, _ in first }))
        }
    }
    /// Whether nothing of before changes: rows, values, links and names are all what they were.
    package var isAdditive: Bool {
        !restoresValues && correspondence.dropped.isEmpty && joins.allSatisfy { $0.isSame || $0.sources.isEmpty }
            && tables.allSatisfy { $0.way != .rebuild && !$0.origins.fillsValues }
            && correspondence.kept.allSatisfy { $0.origins.allSatisfy { $0.key == $0.value.name } }
    }
    /// The derived attributes, as `Entity.attribute`, whose values of before hold as long as the migration is additive.
    package var carriedDerivations: Set<String> {
        Set(tables.flatMap(\.origins.carriedDerivations))
    }
    /// The function of SQL that gives a value the form of attributes whose values may be kept in files.
    package static let marking = ColumnSource.marking
    /// The function of SQL that gives a value the form of attributes whose values stand in their rows.
    package static let unmarking = ColumnSource.unmarking
    private let isDeferring: Bool
    private let makesTrees: Bool
    private var dialect: any MigrationDialect { correspondence.dialect }
    let correspondence: StoredCorrespondence
    private(set) var tables: [TableMigration] = []
    private var joins: [JoinMigration] = []
    /// Whether something comes back that an earlier migration has kept.
    private var restoresValues = false

    /// Plans the way from one model to another; inference must have found it possible.
    ///
    /// - Parameters:
    ///   - indexes: what the file has of indexes on the tables of the schema, and of triggers.
    ///   - isDeferring: whether columns and tables that nothing uses any more are left for later.
    ///   - keepsValues: whether what has no counterpart is kept in a table of its own.
    ///   - keptValues: what the file has kept so far.
    ///   - makesTrees: whether the database has R-trees.
    package init(
        from old: SchemaSide, to new: SchemaSide, indexes: [ExistingItem], triggers present: [ExistingItem],
        isDeferring: Bool = false, keepsValues: Bool = false, keptValues: Set<KeptValueTable.Item> = [],
        makesTrees: Bool = true, dialect: any MigrationDialect = SQLiteMigrationDialect()
    ) {
        self.isDeferring = isDeferring
        self.makesTrees = makesTrees
        correspondence = StoredCorrespondence(old: old, new: new, dialect)
        findTables()
        findJoins()
        let kept = KeptValues(correspondence: correspondence, present: keptValues)
        steps += numberChecks
        drop(triggers: present)
        if keepsValues { steps += kept.keeping }
        let copied = tables.filter { $0.way != .alter }
        let madeJoins = joins.filter { !$0.isSame }
        for table in copied { steps += table.creation(as: table.temporaryName) }
        for join in madeJoins { steps += join.creation(as: join.temporaryName) }
        // The copies above find rows by the indexes of before.
        drop(indexes: indexes)
        for table in tables { steps += table.alteration }
        moveTables(copied, madeJoins)
        for table in tables { steps += completion(of: table) }
        for join in joins { steps += join.completion }
        steps += reciprocity
        closing = requiredValueChecks
        addIndexes(indexes)
        writeKeys()
        let restoring = kept.restoring
        restoresValues = !restoring.isEmpty
        steps += restoring
        moveTrees(old.schema, new.schema)
        for trigger in new.schema.triggers where dialect.hasTriggers {
            closing.append(
                MigrationStep(.createTrigger, subject: "\(trigger.entity).\(trigger.attribute)", sql: trigger.sql))
        }
    }

    /// An index or a trigger that the file has.
    package struct ExistingItem: Equatable {
        package let name: String
        package let table: String
        package let sql: String
        /// Whether it is that of a constraint of the table.
        package let isConstraint: Bool

        package init(name: String, table: String, sql: String, isConstraint: Bool = false) {
            self.name = name
            self.table = table
            self.sql = sql
            self.isConstraint = isConstraint
        }
    }

    /// An entity of both models.
    package struct KeptEntity {
        package let before: EntityMapping
        package let after: EntityMapping
        /// The names of the properties, by those of before.
        package let names: [String: String]
    }

    // MARK: What becomes of the tables

    private mutating func findTables() {
        let (old, new) = (correspondence.old.schema, correspondence.new.schema)
        let former = Dictionary(old.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var targets: [String: Set<String>] = [:]
        for pair in correspondence.kept { targets[pair.before.table, default: []].insert(pair.after.table) }
        for table in new.tables {
            guard let root = new.entities.first(where: { $0.table == table.name && $0.number == $0.rootNumber }) else {
                continue
            }
            let source = correspondence.kept(in: table.name).first.flatMap { former[$0.before.table] }
            tables.append(
                TableMigration(
                    table, root: root, source: source,
                    isShared: source.map { (targets[$0.name]?.count ?? 0) > 1 } ?? false,
                    isDeferring: isDeferring, correspondence))
        }
    }

    private mutating func findJoins() {
        let new = correspondence.new
        let definitions = Dictionary(new.schema.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for join in new.schema.joinTables {
            let parts = join.relationship.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, let owner = new.schema.entity(named: parts[0]), let table = definitions[join.table],
                let relationship = new.entities[parts[0]]?.relationshipsByName[parts[1]],
                let migration = JoinMigration(
                    table, relationship: relationship, of: owner, correspondence: correspondence)
            else { continue }
            joins.append(migration)
        }
    }

    // MARK: Steps

    /// No trigger may fire while tables are in between.
    private mutating func drop(triggers: [ExistingItem]) {
        for trigger in triggers {
            steps.append(
                MigrationStep(
                    .dropTrigger, subject: trigger.name, sql: "DROP TRIGGER \(SQLIdentifier.quoted(trigger.name))"))
        }
    }

    private mutating func drop(indexes: [ExistingItem]) {
        for index in indexes where !keeps(index) {
            steps.append(MigrationStep(.dropIndex, subject: index.name, sql: dialect.removal(of: index)))
        }
    }

    /// An index stays if the new schema has the very same on a table that stays, or if no schema knows it.
    private func keeps(_ index: ExistingItem) -> Bool {
        let name = index.name.lowercased()
        if let wanted = correspondence.new.schema.indexes.first(where: { $0.name.lowercased() == name }) {
            return dialect.creation(of: wanted) == index.sql && staysAsIs(wanted.table)
        }
        return !correspondence.old.schema.indexes.contains { $0.name.lowercased() == name }
    }

    private func staysAsIs(_ name: String) -> Bool {
        if let table = tables.first(where: { $0.table.name == name }) {
            return table.way == .alter && table.source?.name == name
        }
        return joins.first { $0.table.name == name }?.isSame ?? false
    }

    /// Lets the new tables take the names of those of before.
    private mutating func moveTables(_ copied: [TableMigration], _ made: [JoinMigration]) {
        let q = SQLIdentifier.quoted
        let altered = tables.filter { $0.way == .alter }
        var kept = Set(altered.compactMap { $0.source?.name })
        kept.formUnion(joins.filter(\.isSame).map(\.table.name))
        let unused = correspondence.old.schema.tables.map(\.name).filter { !kept.contains($0) }
        steps +=
            isDeferring
            ? deferral(of: unused) : unused.map { MigrationStep(.dropTable, subject: $0, sql: "DROP TABLE \(q($0))") }
        let moved = altered.compactMap { table -> (from: String, to: String, subject: String)? in
            guard let name = table.source?.name, name != table.table.name else { return nil }
            return (name, table.table.name, table.root.name)
        }
        // Two tables may have each other's names of before.
        for move in moved {
            let sql = "ALTER TABLE \(q(move.from)) RENAME TO \(q(former(of: move.from)))"
            steps.append(MigrationStep(.renameTable, subject: move.subject, sql: sql))
        }
        for move in moved {
            let sql = "ALTER TABLE \(q(former(of: move.from))) RENAME TO \(q(move.to))"
            steps.append(MigrationStep(.renameTable, subject: move.subject, sql: sql))
        }
        let temporaries =
            copied.map { ($0.temporaryName, $0.table.name, $0.root.name) }
            + made.map { ($0.temporaryName, $0.table.name, $0.name) }
        for (temporary, name, subject) in temporaries {
            steps.append(
                MigrationStep(.renameTable, subject: subject, sql: "ALTER TABLE \(q(temporary)) RENAME TO \(q(name))"))
        }
    }

    private func former(of table: String) -> String { dialect.name(MigrationNames.former(of: table)) }

    /// Puts unused tables out of the way, and notes them and unused columns as tasks.
    private func deferral(of unused: [String]) -> [MigrationStep] {
        let q = SQLIdentifier.quoted
        var tasks: [(table: String, column: String?)] = []
        var steps: [MigrationStep] = []
        for (number, table) in unused.enumerated() {
            let name = MigrationNames.deferred(table, number: number)
            steps.append(
                MigrationStep(.renameTable, subject: table, sql: "ALTER TABLE \(q(table)) RENAME TO \(q(name))"))
            tasks.append((name, nil))
        }
        for migration in tables { tasks += migration.unusedColumns.map { (migration.table.name, $0) } }
        guard !tasks.isEmpty else { return steps }
        steps.append(MigrationStep(.bookkeeping, subject: MigrationNames.tasks, sql: MigrationNames.tasksDefinition))
        for task in tasks {
            steps.append(
                MigrationStep(
                    .bookkeeping, subject: MigrationNames.tasks,
                    text: SQLText(
                        "INSERT INTO \(MigrationNames.tasks) (TABLENAME, COLUMNNAME) VALUES (?, ?)",
                        [.text(task.table), task.column.map { .text($0) } ?? .null])))
        }
        return steps
    }

    /// R-trees go first and are made again last: each has all rows of its table, under the names of its columns.
    private mutating func moveTrees(_ old: StoreSchema, _ new: StoreSchema) {
        guard dialect.hasTriggers else { return }
        let present = old.spatialIndexes.filter(\.hasTree)
        steps.insert(
            contentsOf: present.map {
                MigrationStep(.dropIndex, subject: $0.name, sql: "DROP TABLE \(SQLIdentifier.quoted($0.name))")
            }, at: steps.firstIndex { ![.checkNumbers, .dropTrigger].contains($0.kind) } ?? steps.endIndex)
        for tree in new.spatialIndexes where makesTrees {
            closing += tree.creation.map {
                MigrationStep(.createIndex, subject: tree.name, text: SQLText($0), rowsOf: tree.table)
            }
        }
    }

    // MARK: The end

    private mutating func addIndexes(_ present: [ExistingItem]) {
        let kept = Set(present.filter(keeps).map { $0.name.lowercased() })
        for index in correspondence.new.schema.indexes where !kept.contains(index.name.lowercased()) {
            let step = MigrationStep(
                .createIndex, subject: index.name, sql: dialect.creation(of: index), rowsOf: index.table)
            if index.isUnique { closing += [check(of: index), step] } else { steps.append(step) }
        }
    }

    /// Asks whether values are there twice that are to be unique: the first such values, and how many rows have them.
    private func check(of index: IndexDefinition) -> MigrationStep {
        let columns = index.elements.map { SQLIdentifier.quoted($0.column) }
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let parts = index.name.components(separatedBy: "_UNIQUE_")
        let entity = String(parts[0].dropFirst(2))
        let constraint =
            correspondence.new.entities[entity]?.uniquenessConstraintNames.first {
                $0.joined(separator: "_") == parts.dropFirst().joined(separator: "_UNIQUE_")
            } ?? columns
        return MigrationStep(
            .checkUnique, subject: entity,
            text: SQLText(
                "SELECT count(*) FROM \(SQLIdentifier.quoted(index.table)) WHERE \(present) "
                    + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1"),
            properties: constraint)
    }

    /// The entities of the new model with their numbers; a table goes on counting keys where that of before stopped.
    private mutating func writeKeys() {
        for entity in correspondence.new.schema.entities {
            var roots = Set<Int>()
            if entity.number == entity.rootNumber {
                roots = Set(correspondence.kept(in: entity.table).map(\.before.rootNumber))
            }
            let former = roots.sorted().map(String.init).joined(separator: ", ")
            let last = "coalesce((SELECT max(k.Z_MAX) FROM Z_PRIMARYKEY k WHERE k.Z_ENT IN (\(former))), 0)"
            steps.append(
                MigrationStep(
                    .bookkeeping, subject: entity.name,
                    text: SQLText(
                        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, "
                            + "\(former.isEmpty ? "0" : last))",
                        [
                            .integer(Int64(-entity.number)), .text(entity.name), .integer(Int64(entity.superNumber)),
                        ])))
        }
        steps.append(
            MigrationStep(
                .bookkeeping, subject: "Z_PRIMARYKEY", sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 0 AND Z_ENT < 16000"
            ))
        steps.append(
            MigrationStep(
                .bookkeeping, subject: "Z_PRIMARYKEY", sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT WHERE Z_ENT < 0"))
    }
}
