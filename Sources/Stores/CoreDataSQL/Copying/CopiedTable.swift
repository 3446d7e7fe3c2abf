import CoreDataStore

/// A table of a store as it is copied: its place among the tables of the schema, and what its columns hold.
package struct CopiedTable: Sendable {
    package let number: Int
    package let columns: [TableDefinition.Column]
    /// For each column whether it holds large values, which a kind of store may keep elsewhere.
    package let isLarge: [Bool]
    /// The columns by which rows are distinguished and put in order: one for objects, two for pairs.
    package let keys: [Int]
    /// The column with the version of an object; nil for pairs.
    package let version: Int?

    /// The tables of a schema, in the order in which they are copied.
    package static func all(of schema: StoreSchema) -> [CopiedTable] {
        var large: Set<String> = []
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.allowsExternalStorage {
                large.insert(entity.table + "." + attribute.column)
            }
        }
        return schema.tables.enumerated().map { number, table in
            let names = table.columns.map(\.name)
            let keys =
                table.keyColumns.isEmpty
                ? table.columns.indices.filter { table.columns[$0].isPrimaryKey }
                : table.keyColumns.compactMap { names.firstIndex(of: $0) }
            return CopiedTable(
                number: number, columns: table.columns,
                isLarge: table.columns.map { large.contains(table.name + "." + $0.name) }, keys: keys,
                version: table.columns.firstIndex { $0.name == "Z_OPT" })
        }
    }

    /// How many rows are written at a time: fewer where a row may have large values.
    package var portion: Int { isLarge.contains(true) ? 2_000 : 100_000 }

    /// The columns whose values may be of any length.
    package var unbounded: [Int] { columns.indices.filter { [.varchar, .blob].contains(columns[$0].type) } }

    /// The columns whose values other kinds of stores may not hold.
    package var doubtful: [Int] {
        columns.indices.filter { [.decimal, .float, .timestamp].contains(columns[$0].type) }
    }
}

/// The progress of a copy: the table that is being copied, and the key of the last of its rows in the copy.
///
/// After the last table comes the history, and after that the copy is complete.
package struct CopyPlace: Sendable, Equatable {
    package var table: Int
    package var keys: [Int64]

    package init(table: Int, keys: [Int64] = []) {
        self.table = table
        self.keys = keys
    }

    /// The place as an unfinished copy records it.
    package var text: String { ([Int64(table)] + keys).map(String.init).joined(separator: " ") }

    /// The place that a copy has recorded; nil for any other text.
    package init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard let first = numbers.first, let table = first.flatMap({ Int(exactly: $0) }), table >= 0,
            numbers.count <= 3, !numbers.contains(nil)
        else { return nil }
        self.init(table: table, keys: numbers.dropFirst().compactMap { $0 })
    }
}

/// What a copy is of: a store, and the state that it was in.
package struct CopyOrigin: Sendable, Equatable {
    /// The source as people write it, without a password.
    package let name: String
    /// The source's identity, and a sum over the keys and versions of its rows.
    package let state: String

    package init(name: String, state: String) {
        self.name = name
        self.state = state
    }
}
