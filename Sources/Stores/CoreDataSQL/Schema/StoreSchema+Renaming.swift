/// The actual names of tables and columns in a database, by the names in the schema.
struct SchemaRenaming {
    var tables: [String: String] = [:]
    /// By the table's name in the schema, then by the column's name in the schema.
    var columns: [String: [String: String]] = [:]

    func table(_ name: String) -> String { tables[name] ?? name }

    func column(_ name: String, in table: String) -> String { columns[table]?[name] ?? name }

    func column(_ name: String?, in table: String) -> String? { name.map { column($0, in: table) } }

    /// Whether all names are the same as in the schema, which is the usual case.
    var isIdentity: Bool {
        tables.allSatisfy { $0 == $1 } && columns.values.allSatisfy { $0.allSatisfy { $0 == $1 } }
    }
}

extension StoreSchema {
    /// Returns the schema with other names of tables and columns; names of indexes and triggers stay.
    func renamed(_ renaming: SchemaRenaming) -> StoreSchema {
        guard !renaming.isIdentity else { return self }
        var copy = self
        for index in copy.entities.indices { copy.entities[index].rename(renaming) }
        for index in copy.tables.indices { copy.tables[index].rename(renaming) }
        for index in copy.joinTables.indices { copy.joinTables[index].rename(renaming) }
        for index in copy.indexes.indices { copy.indexes[index].rename(renaming) }
        for index in copy.spatialIndexes.indices { copy.spatialIndexes[index].rename(renaming) }
        return copy
    }
}

extension EntityMapping {
    fileprivate mutating func rename(_ renaming: SchemaRenaming) {
        for index in attributes.indices {
            attributes[index].column = renaming.column(attributes[index].column, in: table)
        }
        for index in toOnes.indices {
            toOnes[index].column = renaming.column(toOnes[index].column, in: table)
            toOnes[index].entityColumn = renaming.column(toOnes[index].entityColumn, in: table)
            toOnes[index].orderColumn = renaming.column(toOnes[index].orderColumn, in: table)
        }
        for index in foreignKeys.indices {
            foreignKeys[index].column = renaming.column(foreignKeys[index].column, in: table)
            foreignKeys[index].orderColumn = renaming.column(foreignKeys[index].orderColumn, in: table)
        }
        for index in toManys.indices { toManys[index].storage.rename(renaming) }
        table = renaming.table(table)
    }
}

extension ToManyMapping.Storage {
    fileprivate mutating func rename(_ renaming: SchemaRenaming) {
        switch self {
        case .foreignKey(var key):
            key.column = renaming.column(key.column, in: key.table)
            key.entityColumn = renaming.column(key.entityColumn, in: key.table)
            key.orderColumn = renaming.column(key.orderColumn, in: key.table)
            key.table = renaming.table(key.table)
            self = .foreignKey(key)
        case .join(var join):
            join.ownColumn = renaming.column(join.ownColumn, in: join.table)
            join.otherColumn = renaming.column(join.otherColumn, in: join.table)
            join.orderColumn = renaming.column(join.orderColumn, in: join.table)
            join.inverseOrderColumn = renaming.column(join.inverseOrderColumn, in: join.table)
            join.table = renaming.table(join.table)
            self = .join(join)
        }
    }
}

extension TableDefinition {
    fileprivate mutating func rename(_ renaming: SchemaRenaming) {
        for index in columns.indices { columns[index].name = renaming.column(columns[index].name, in: name) }
        keyColumns = keyColumns.map { renaming.column($0, in: name) }
        name = renaming.table(name)
    }
}

extension JoinTable {
    fileprivate mutating func rename(_ renaming: SchemaRenaming) {
        ownColumn.name = renaming.column(ownColumn.name, in: table)
        otherColumn.name = renaming.column(otherColumn.name, in: table)
        if let name = orderColumn?.name { orderColumn?.name = renaming.column(name, in: table) }
        if let name = inverseOrderColumn?.name { inverseOrderColumn?.name = renaming.column(name, in: table) }
        table = renaming.table(table)
    }
}

extension SpatialIndex {
    fileprivate mutating func rename(_ renaming: SchemaRenaming) {
        columns = columns.map { renaming.column($0, in: table) }
        table = renaming.table(table)
    }
}

extension IndexDefinition {
    fileprivate mutating func rename(_ renaming: SchemaRenaming) {
        for index in elements.indices {
            elements[index].column = renaming.column(elements[index].column, in: table)
        }
        condition = condition?.renamed { renaming.column($0, in: table) }
        table = renaming.table(table)
    }
}
