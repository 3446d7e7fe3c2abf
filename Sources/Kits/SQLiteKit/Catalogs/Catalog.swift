/// The catalog of a database file: its tables, indexes, triggers and views, in the order of their creation.
package struct Catalog: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        package let name: String
        /// The type as declared, empty without one.
        package let declaredType: String
        /// Whether the column is generated or hidden, so that it cannot be written.
        package let isGenerated: Bool
        /// Whether the column is the primary key, or a part of it.
        package let isKey: Bool
        /// The default value as SQL text; nil for none.
        package let defaultText: String?
    }

    package struct Table: Sendable, Equatable {
        package let name: String
        package let sql: String
        /// Empty for a virtual table, since reading its columns would call the module.
        package internal(set) var columns: [Column] = []
        package let isVirtual: Bool

        /// The column that is an alias of the rowid; nil if there is none.
        ///
        /// Source: https://www.sqlite.org/lang_createtable.html#rowid
        package var rowNumberColumn: String? {
            let keys = columns.filter(\.isKey)
            guard keys.count == 1, keys[0].declaredType.uppercased() == "INTEGER" else { return nil }
            return keys[0].name
        }
    }

    /// An index, trigger or view with the table it belongs to.
    package struct Item: Sendable, Equatable {
        package let name: String
        package let table: String
        package let sql: String
    }

    package internal(set) var tables: [Table] = []
    package internal(set) var indexes: [Item] = []
    package internal(set) var triggers: [Item] = []
    package internal(set) var views: [Item] = []

    /// The table with a name, compared case-insensitively as in SQLite.
    package func table(_ name: String) -> Table? {
        let wanted = name.lowercased()
        return tables.first { $0.name.lowercased() == wanted }
    }
}
