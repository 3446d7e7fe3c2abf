extension StoreSchema {
    /// A schema with the names of an existing database, and the differences between the database and the model.
    package struct Resolution: Sendable {
        package let schema: StoreSchema
        package let differences: [SchemaDifference]

        /// Whether nothing that the model requires is missing.
        package var isUsable: Bool { differences.allSatisfy(\.isHarmless) }
    }

    /// Finds the schema's tables and columns in an existing database, whichever framework created or migrated it.
    ///
    /// Letter case and column order do not matter. A join table is found under the name of either end, and its columns
    /// with or without the digits that distinguish them from those of other tables. Missing items keep the schema's
    /// names. Extra tables and columns are reported.
    package func resolved(against catalog: DatabaseCatalog) -> Resolution {
        var resolver = SchemaResolver(catalog)
        let joins = Dictionary(joinTables.map { ($0.table, $0) }, uniquingKeysWith: { first, _ in first })
        let owners = Dictionary(entities.map { ($0.table, $0.name) }, uniquingKeysWith: { first, _ in first })
        for table in tables {
            if let join = joins[table.name] {
                resolver.find(join)
            } else {
                resolver.find(table, of: owners[table.name] ?? table.name)
            }
        }
        resolver.compareNumbers(of: entities)
        resolver.reportExtraTables()
        return Resolution(
            schema: renamed(resolver.renaming).withTrees(catalog), differences: resolver.differences)
    }
}

/// Matches the tables and columns of a schema with those of a database.
private struct SchemaResolver {
    private let catalog: DatabaseCatalog
    private let tablesByName: [String: DatabaseCatalog.Table]
    private var claimed = Set<String>()
    var renaming = SchemaRenaming()
    var differences: [SchemaDifference] = []

    init(_ catalog: DatabaseCatalog) {
        self.catalog = catalog
        tablesByName = Dictionary(
            catalog.tables.map { ($0.name.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func find(_ table: TableDefinition, of entity: String) {
        guard let actual = claim([table.name]) else {
            differences.append(.missingTable(table.name, of: entity))
            return
        }
        renaming.tables[table.name] = actual.name
        let columns = Self.columnsByName(actual)
        for column in table.columns {
            match(
                column.name, actual: columns[column.name.uppercased()], table: table.name, actualTable: actual.name,
                of: entity)
        }
        reportExtraColumns(of: actual, expected: table.columns.map(\.name))
    }

    mutating func find(_ join: JoinTable) {
        guard let actual = claim(([join.table] + join.otherNames).filter { fits($0, join) }) else {
            differences.append(.missingTable(join.table, of: join.relationship))
            return
        }
        renaming.tables[join.table] = actual.name
        let wanted = [join.ownColumn, join.otherColumn, join.orderColumn, join.inverseOrderColumn].compactMap { $0 }
        let found = Self.pair(wanted, with: actual.columns)
        for column in wanted {
            match(
                column.name, actual: found[column.name], table: join.table, actualTable: actual.name,
                of: join.relationship)
        }
        reportExtraColumns(of: actual, expected: wanted.map { found[$0.name] ?? $0.name })
    }

    /// Whether the table with this name has the two key columns: another relationship's table may have the name.
    private func fits(_ name: String, _ join: JoinTable) -> Bool {
        guard let table = tablesByName[name.uppercased()] else { return false }
        return Self.pair([join.ownColumn, join.otherColumn], with: table.columns).count == 2
    }

    /// Matches join columns with existing columns: exact names first, then plain names, then plain names followed by
    /// digits.
    private static func pair(_ wanted: [JoinTable.Column], with actual: [String]) -> [String: String] {
        var free = actual
        var pairs: [String: String] = [:]
        func take(_ column: JoinTable.Column, where isMatch: (String) -> Bool) {
            guard pairs[column.name] == nil, let index = free.firstIndex(where: isMatch) else { return }
            pairs[column.name] = free.remove(at: index)
        }
        for column in wanted { take(column) { $0.uppercased() == column.name.uppercased() } }
        for column in wanted { take(column) { $0.uppercased() == column.plainName.uppercased() } }
        for column in wanted { take(column) { isNumbered($0.uppercased(), column.plainName.uppercased()) } }
        return pairs
    }

    private static func isNumbered(_ name: String, _ plain: String) -> Bool {
        name.hasPrefix(plain) && name.utf8.dropFirst(plain.utf8.count).allSatisfy { 48...57 ~= $0 }
    }

    private mutating func claim(_ names: [String]) -> DatabaseCatalog.Table? {
        for name in names.map({ $0.uppercased() }) where !claimed.contains(name) {
            guard let table = tablesByName[name] else { continue }
            claimed.insert(name)
            return table
        }
        return nil
    }

    private mutating func match(
        _ expected: String, actual: String?, table: String, actualTable: String, of owner: String
    ) {
        if let actual {
            renaming.columns[table, default: [:]][expected] = actual
        } else {
            differences.append(.missingColumn(expected, table: actualTable, of: owner))
        }
    }

    private mutating func reportExtraColumns(of table: DatabaseCatalog.Table, expected: [String]) {
        let known = Set(expected.map { $0.uppercased() })
        for column in table.columns where !known.contains(column.uppercased()) {
            differences.append(.extraColumn(column, table: table.name))
        }
    }

    private static func columnsByName(_ table: DatabaseCatalog.Table) -> [String: String] {
        Dictionary(table.columns.map { ($0.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func compareNumbers(of entities: [EntityMapping]) {
        guard !catalog.entityNumbers.isEmpty else { return }
        let known = Set(entities.map(\.name))
        let strangers = Dictionary(
            catalog.entityNumbers.filter { !known.contains($0.key) }.map { ($1, $0) }, uniquingKeysWith: { min($0, $1) }
        )
        for entity in entities {
            switch (catalog.entityNumbers[entity.name], strangers[entity.number]) {
            case (entity.number, _): continue
            case (let found?, _):
                differences.append(.otherNumber(entity: entity.name, expected: entity.number, found: found))
            case (nil, let recorded?): differences.append(.formerName(entity: entity.name, recorded: recorded))
            case (nil, nil): differences.append(.unrecordedEntity(entity.name))
            }
        }
    }

    mutating func reportExtraTables() {
        let ours: Set = [
            "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
            "OPENCOREDATAOLDTRANSACTIONS", "OPENCOREDATAOLDVALUES", "OPENCOREDATASIDETABLE",
            MigrationNames.tasks.uppercased(), KeptValueTable.name.uppercased(),
        ]
        let shadows = Set(catalog.virtualTables.flatMap { SpatialIndex.shadows(of: $0.name) }.map { $0.uppercased() })
        for table in catalog.tables {
            let name = table.name.uppercased()
            guard !claimed.contains(name), !shadows.contains(name), !ours.contains(name),
                !name.hasPrefix(MigrationNames.deferredPrefix)
            else {
                continue
            }
            differences.append(.extraTable(table.name))
        }
    }
}
