import CoreDataStore

/// A table that is copied: its index among the tables of the schema, and what its columns contain.
package struct CopiedTable: Sendable {
    package let number: Int
    package let columns: [TableDefinition.Column]
    /// For each column, whether it contains large values, which some store types keep outside the table.
    package let isLarge: [Bool]
    /// The indexes of the columns that identify and order the rows: one for objects, two for the pairs of a join table.
    package let keys: [Int]
    /// The index of the column with an object's version; nil for a join table.
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

    /// How many rows the copy adds in one transaction: fewer if rows may contain large values.
    package var portion: Int { isLarge.contains(true) ? 2_000 : 100_000 }

    /// The columns whose values may be of any length.
    package var unbounded: [Int] { columns.indices.filter { [.varchar, .blob].contains(columns[$0].type) } }

    /// The indexes of the columns whose values other store types may be unable to store.
    package var doubtful: [Int] {
        columns.indices.filter { [.decimal, .float, .timestamp].contains(columns[$0].type) }
    }
}

/// The progress of a copy: the number of the table that is being copied, and the keys of the last row copied.
///
/// The number after that of the last table stands for the history, and the next number for a complete copy.
package struct CopyPlace: Sendable, Equatable {
    package var table: Int
    package var keys: [Int64]

    package init(table: Int, keys: [Int64] = []) {
        self.table = table
        self.keys = keys
    }

    /// The progress in the form in which an unfinished copy records it.
    package var text: String { ([Int64(table)] + keys).map(String.init).joined(separator: " ") }

    /// Parses progress that a copy has recorded; nil for any other text.
    package init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard let first = numbers.first, let table = first.flatMap({ Int(exactly: $0) }), table >= 0,
            numbers.count <= 3, !numbers.contains(nil)
        else { return nil }
        self.init(table: table, keys: numbers.dropFirst().compactMap { $0 })
    }
}

/// Identifies what is copied: a store, and the state that it was in.
package struct CopyOrigin: Sendable, Equatable {
    /// The source's path or URL as messages show it, without a password.
    package let name: String
    /// The source's identity, and a sum over the keys and versions of its rows.
    package let state: String

    package init(name: String, state: String) {
        self.name = name
        self.state = state
    }
}
