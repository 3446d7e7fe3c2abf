/// What a database holds, as far as a schema has to know: tables with their columns, and the recorded entity numbers.
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
    /// `Z_NAME` and `Z_ENT` of the rows of `Z_PRIMARYKEY`; empty where they were not read.
    package let entityNumbers: [String: Int]

    /// Virtual tables with the statements that made them.
    package let virtualTables: [VirtualTable]
    /// The statements that made the triggers.
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
