import CoreDataStore

/// How a migration makes one table of entities: new and empty, changed in place, or with rows copied from an old table.
struct TableMigration {
    enum Way: Equatable {
        /// No old rows move into the table.
        case create
        /// The old table is changed in place: columns are renamed and added, and rows are updated.
        case alter
        /// The rows are copied from the old table to a new one.
        case rebuild
    }

    let table: TableDefinition
    let root: EntityMapping
    let pairs: [EntityPair]
    /// The old table whose rows move into this one.
    let source: TableDefinition?
    let origins: ColumnOrigins
    let way: Way
    /// The name under which the table is created, until the old tables have been dropped or renamed.
    let temporaryName: String
    private let correspondence: StoredCorrespondence

    /// - Parameters:
    ///   - isShared: whether rows of the old table also move into other tables.
    ///   - isDeferring: whether columns that are no longer used may stay for now.
    init(
        _ table: TableDefinition, root: EntityMapping, source: TableDefinition?, isShared: Bool, isDeferring: Bool,
        _ correspondence: StoredCorrespondence
    ) {
        self.table = table
        self.root = root
        self.source = source
        self.correspondence = correspondence
        pairs = correspondence.kept(in: table.name)
        origins = ColumnOrigins(of: pairs, correspondence)
        temporaryName = correspondence.dialect.name(MigrationNames.temporary(of: table.name))
        way =
            source == nil || pairs.isEmpty
            ? .create
            : !isShared
                && Self.canAlter(
                    source, table: table, origins: origins, mayDrop: isDeferring || correspondence.dialect.dropsColumns)
                ? .alter : .rebuild
    }

    /// Whether the old table can be changed in place: it loses no column, or may lose columns in place, and each new
    /// column is made of at most one column of the same row.
    private static func canAlter(
        _ source: TableDefinition?, table: TableDefinition, origins: ColumnOrigins, mayDrop: Bool
    ) -> Bool {
        guard let source else { return false }
        var carried: [String: String] = [:]
        for column in table.data {
            let sources = (origins.sources[column.name] ?? [:]).values
            // Different numbers may be equal after a conversion, and a unique index that stays would then fail during
            // the update.
            guard sources.allSatisfy({ $0.isOfOwnRow && !$0.converts }) else { return false }
            let carriers = Set(sources.compactMap(\.carrier))
            guard carriers.count <= 1 else { return false }
            guard let carrier = carriers.first else { continue }
            // One old column cannot become two new ones.
            guard carried.updateValue(column.name, forKey: carrier) == nil else { return false }
        }
        let old = Set(source.data.map { $0.name.uppercased() })
        guard mayDrop || source.data.allSatisfy({ carried[$0.name] != nil }) else { return false }
        // A column keeps its type: its affinity cannot be changed in place.
        let types = Dictionary(table.data.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        guard source.data.allSatisfy({ column in carried[column.name].map { types[$0] == column.type } ?? true })
        else { return false }
        // A column cannot get a name that another old column has, as that would need a temporary name; nor may an added
        // column.
        return table.data.allSatisfy { column in
            let from = carried.first { $0.value == column.name }?.key
            return from.map { $0.uppercased() == column.name.uppercased() } ?? false
                || !old.contains(column.name.uppercased())
        }
    }

    /// The old name of each new column that is made of an old one.
    private var carriers: [String: String] {
        table.data.reduce(into: [:]) { names, column in
            let sources = (origins.sources[column.name] ?? [:]).values
            names[column.name] = sources.lazy.compactMap(\.carrier).first
        }
    }

    /// Whether the old table has only rows of one entity, so that their entity numbers are not read.
    private var isOfOneEntity: Bool { pairs.count == 1 && pairs[0].before.isAloneInTable }

    /// The old columns that stay in the table although the new model does not use them.
    var unusedColumns: [String] {
        guard way == .alter, let source else { return [] }
        let used = Set(carriers.values)
        return source.data.map(\.name).filter { !used.contains($0) }
    }

    // MARK: Copying

    /// Returns the steps that create the table under a temporary name and copy the kept rows into it.
    func creation(as name: String) -> [MigrationStep] {
        var definition = table
        definition.name = name
        var steps = [MigrationStep(.createTable, subject: root.name, sql: dialect.creation(of: definition))]
        guard way == .rebuild, let source else { return steps }
        let row: (String) -> String = { "o.\(SQLIdentifier.quoted($0))" }
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + table.data.map(\.name)
        let numbers = isOfOneEntity ? "\(pairs[0].after.number)" : ColumnSource.translation(of: "o.Z_ENT", ownNumbers)
        let values =
            [SQLText("o.Z_PK"), SQLText(numbers), SQLText("o.Z_OPT")]
            + table.data.map { value(of: $0, row, number: "o.Z_ENT") }
        let target =
            "INSERT INTO \(SQLIdentifier.quoted(name)) (\(columns.map(SQLIdentifier.quoted).joined(separator: ", ")))"
        let condition = isOfOneEntity ? "" : " WHERE o.Z_ENT IN (\(Self.list(ownNumbers.keys)))"
        steps.append(
            MigrationStep(
                .copyRows, subject: root.name,
                text: "\(target) SELECT " + values.joined(", ")
                    + " FROM \(SQLIdentifier.quoted(source.name)) o\(condition)",
                rowsOf: source.name))
        return steps
    }

    private var ownNumbers: [Int: Int] {
        Dictionary(pairs.map { ($0.before.number, $0.after.number) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the SQL for the value of a column, which may depend on the row's entity.
    private func value(
        of column: TableDefinition.Column, _ name: (String) -> String, number: String
    ) -> SQLText {
        let sources = origins.sources[column.name] ?? [:]
        let all = pairs.map { (number: $0.before.number, source: sources[$0.before.number] ?? .null) }
        let groups = Dictionary(grouping: all, by: \.source)
        if groups.count == 1, let only = all.first?.source {
            return only.text(column.type, dialect: dialect, name: name)
        }
        let cases = groups.filter { $0.key != .null }
            .map {
                (numbers: $0.value.map(\.number).sorted(), text: $0.key.text(column.type, dialect: dialect, name: name))
            }
            .sorted { $0.numbers.lexicographicallyPrecedes($1.numbers) }
            .map { "WHEN \(number) IN (\(Self.list($0.numbers))) THEN " + $0.text }
        return "CASE " + cases.joined(" ") + " END"
    }

    private static func list(_ numbers: some Sequence<Int>) -> String {
        numbers.sorted().map(String.init).joined(separator: ", ")
    }

    // MARK: Changing in place

    /// The steps that rename and add columns, delete rows and update values; the table keeps its old name.
    var alteration: [MigrationStep] {
        guard way == .alter, let source else { return [] }
        let name = SQLIdentifier.quoted(source.name)
        var steps: [MigrationStep] = []
        if !isOfOneEntity, dropsRows {
            steps.append(
                MigrationStep(
                    .deleteRows, subject: root.name,
                    sql: "DELETE FROM \(name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(Self.list(ownNumbers.keys)))",
                    rowsOf: source.name))
        }
        let carriers = carriers
        if dialect.dropsColumns {
            for column in unusedColumns {
                let statement = "ALTER TABLE \(name) DROP COLUMN \(SQLIdentifier.quoted(column))"
                steps.append(MigrationStep(.dropColumn, subject: root.name, sql: statement))
            }
        }
        for column in table.data {
            if let former = carriers[column.name] {
                guard former != column.name else { continue }
                let (old, new) = (SQLIdentifier.quoted(former), SQLIdentifier.quoted(column.name))
                steps.append(
                    MigrationStep(
                        .renameColumn, subject: root.name, sql: "ALTER TABLE \(name) RENAME COLUMN \(old) TO \(new)"))
            } else {
                steps += dialect.addition(of: column, to: source.name, filledWith: filling(of: column.name)).map {
                    MigrationStep(.addColumn, subject: root.name, sql: $0)
                }
            }
        }
        if let update = update(name, carriers) { steps.append(update) }
        return steps
    }

    /// Whether rows of removed entities must be deleted, or would otherwise be taken for rows of other entities,
    /// whose new numbers equal their old ones.
    private var dropsRows: Bool {
        guard let source else { return false }
        let isDropped = correspondence.dropped.contains { $0.table == source.name }
        return isDropped || ownNumbers.contains { $0 != $1 }
    }

    /// Returns one UPDATE statement that sets all changed values from the rows' old values; nil if none changes.
    private func update(_ name: String, _ carriers: [String: String]) -> MigrationStep? {
        var assignments: [SQLText] = []
        if ownNumbers.contains(where: { $0 != $1 }) || isOfOneEntity && !pairs[0].after.isAloneInTable {
            let number = isOfOneEntity ? "\(pairs[0].after.number)" : ColumnSource.translation(of: "Z_ENT", ownNumbers)
            assignments.append(SQLText("Z_ENT = \(number)"))
        }
        let present = Dictionary(carriers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for column in table.data where changesValues(of: column.name) && filling(of: column.name) == nil {
            let text = value(of: column, { SQLIdentifier.quoted(present[$0] ?? $0) }, number: "Z_ENT")
            assignments.append("\(SQLIdentifier.quoted(column.name)) = " + text)
        }
        guard !assignments.isEmpty else { return nil }
        return MigrationStep(
            .updateRows, subject: root.name,
            text: "UPDATE \(name) SET " + assignments.joined(", ") + narrowing(assignments),
            rowsOf: source?.name)
    }

    /// Returns a condition that skips rows with a value, if the update only sets one optional value where it is
    /// missing.
    private func narrowing(_ assignments: [SQLText]) -> String {
        let changed = table.data.filter { changesValues(of: $0.name) && filling(of: $0.name) == nil }
        guard assignments.count == 1, changed.count == 1, let column = changed.first else { return "" }
        let sources = origins.sources[column.name] ?? [:]
        guard sources.values.allSatisfy({ if case .filled = $0 { true } else { $0 == .null } }) else { return "" }
        return " WHERE \(SQLIdentifier.quoted(column.name)) IS NULL"
    }

    /// Returns the value that the database sets in all rows when it adds the column, without rewriting them; nil if
    /// none.
    private func filling(of column: String) -> SQLParameter? {
        guard dialect.fillsColumns, let sources = origins.sources[column] else { return nil }
        let values = Set(pairs.map { sources[$0.before.number] ?? .null })
        guard values.count == 1, case .value(let value) = values.first else { return nil }
        return value
    }

    private var dialect: any MigrationDialect { correspondence.dialect }

    /// Whether the value of a column differs, in some row, from that of the old column that it is made of.
    private func changesValues(of column: String) -> Bool {
        let sources = origins.sources[column] ?? [:]
        let carrier = sources.values.lazy.compactMap(\.carrier).first
        return pairs.contains { pair in
            switch sources[pair.before.number] ?? .null {
            case .null:
                // The old column may contain values of a property that the entity stored there and no longer has.
                return carrier.map { pair.before.usesColumn($0) } ?? false
            case .column: return false
            case .number(_, let numbers): return numbers.contains { $0 != $1 }
            default: return true
            }
        }
    }
}

extension TableDefinition {
    /// The columns of properties, without `Z_PK`, `Z_ENT` and `Z_OPT`.
    var data: [Column] { columns.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0.name) } }
}

extension EntityMapping {
    /// Whether the entity's own rows may have values in a column.
    fileprivate func usesColumn(_ name: String) -> Bool {
        attributes.contains { $0.column == name }
            || toOnes.contains { $0.column == name || $0.entityColumn == name || $0.orderColumn == name }
            || foreignKeys.contains { $0.column == name || $0.orderColumn == name }
    }
}
