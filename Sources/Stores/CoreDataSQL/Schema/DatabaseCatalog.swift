/// What a schema must know of an existing database: its tables with their columns, triggers, and recorded entity
/// numbers.
package struct DatabaseCatalog: Sendable, Equatable {
    package struct Table: Sendable, Equatable {
        package let name: String
        package let columns: [String]

        package init(name: String, columns: [String]) {
            self.name = name
            self.columns = columns
        }
    }

    package let tables: [Table]
    /// `Z_ENT` by `Z_NAME`, from the rows of `Z_PRIMARYKEY`; empty if they were not read.
    package let entityNumbers: [String: Int]

    /// The virtual tables, with the SQL that created them.
    package let virtualTables: [VirtualTable]
    /// The SQL that created the triggers.
    package let triggers: [String]

    package struct VirtualTable: Sendable, Equatable {
        package let name: String
        package let sql: String

        package init(name: String, sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    package init(
        tables: [Table], entityNumbers: [String: Int] = [:], virtualTables: [VirtualTable] = [], triggers: [String] = []
    ) {
        self.tables = tables
        self.entityNumbers = entityNumbers
        self.virtualTables = virtualTables
        self.triggers = triggers
    }
}
