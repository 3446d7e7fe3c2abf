import CoreDataStore

/// The statements that turn the tables of one model into those of another, in one database.
///
/// SQL statements process all rows, so memory use does not grow with them. The order of the steps:
///
/// 1. numbers whose type changes are checked; triggers are dropped;
/// 2. tables that need rows of other tables, or lose columns or rows, are created under other names from the old
///    tables;
/// 3. indexes that differ from the new schema are dropped, and other tables are changed in place;
/// 4. old tables are dropped or renamed, and the new ones get their names;
/// 5. positions in ordered relationships, entity numbers of destinations, and dangling keys are updated;
/// 6. indexes are created, and `Z_PRIMARYKEY` is written;
/// 7. after the caller has computed derived values: constraints are checked, unique indexes and triggers are created.
package struct SchemaMigration {
    /// The steps until derived values can be computed.
    package private(set) var steps: [MigrationStep] = []
    /// The steps that follow once derived values have been computed.
    package private(set) var closing: [MigrationStep] = []
    /// The new numbers of the kept entities by their old numbers.
    package var entityNumbers: [Int: Int] { correspondence.numbers }
    /// The old entities whose rows are dropped.
    package var droppedEntities: [EntityMapping] { correspondence.dropped }
    /// The names of both models' tables, in upper case.
    package var tableNames: Set<String> {
        Set((correspondence.old.schema.tables + correspondence.new.schema.tables).map { $0.name.uppercased() })
    }
    /// The entities whose rows the migration keeps.
    package var keptEntities: [KeptEntity] {
        correspondence.kept.map { pair in
            KeptEntity(
                before: pair.before, after: pair.after,
                names: Dictionary(
                    pair.origins.map { ($0.value.name, $0.key) }, uniquingKeysWith: { first, _ in first }))
        }
    }
    /// Whether the migration only adds: all existing rows, values, links and names stay as they are.
    package var isAdditive: Bool {
        !restoresValues && correspondence.dropped.isEmpty && joins.allSatisfy { $0.isSame || $0.sources.isEmpty }
            && tables.allSatisfy { $0.way != .rebuild && !$0.origins.fillsValues }
            && correspondence.kept.allSatisfy { $0.origins.allSatisfy { $0.key == $0.value.name } }
    }
    /// The derived attributes, as `Entity.attribute`, whose old values stay valid if the migration is additive.
    package var carriedDerivations: Set<String> {
        Set(tables.flatMap(\.origins.carriedDerivations))
    }
    /// The SQL function that converts a value to the form of attributes that allow external storage.
    package static let marking = ColumnSource.marking
    /// The SQL function that converts a value to the form of attributes whose values are always stored in their rows.
    package static let unmarking = ColumnSource.unmarking
    private let isDeferring: Bool
    private let makesTrees: Bool
    private var dialect: any MigrationDialect { correspondence.dialect }
    let correspondence: StoredCorrespondence
    private(set) var tables: [TableMigration] = []
    private var joins: [JoinMigration] = []
    /// Whether the migration restores values that an earlier one has preserved.
    private var restoresValues = false

    /// Plans the migration from one model to another, which must be one that can be inferred.
    ///
    /// - Parameters:
    ///   - indexes: the file's indexes on the tables of the schema; `present` are its triggers.
    ///   - isDeferring: whether columns and tables that are no longer used are removed later.
    ///   - keepsValues: whether values without a counterpart are preserved in a table of their own.
    ///   - keptValues: the properties of which the file has preserved values.
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
        // The steps above use the old indexes to find rows, so these are dropped only now.
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

    /// An index or a trigger in the file.
    package struct ExistingItem: Equatable {
        package let name: String
        package let table: String
        package let sql: String
        /// Whether it is the index of a constraint that the table declares.
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
        /// The new names of the properties, by their old names.
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

    /// Drops the triggers, as none may fire while the tables change.
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

    /// Returns whether an index stays: the new schema has the same one on a table that stays, or neither schema has it.
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

    /// Drops, renames or defers the old tables, then renames the new tables to their final names.
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
        // Two tables may exchange names, so each gets a temporary name first.
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

    /// Renames unused tables, and records them and unused columns as tasks for a later removal.
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

    /// Drops the R-trees first and creates them again last: each indexes all rows of its table, by the names of its
    /// columns.
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

    /// Returns a query for values that must be unique and occur in several rows: the number of rows with the first such
    /// values.
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

    /// Writes the new model's entities with their numbers; a table's next key follows the greatest one of its old
    /// table.
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
