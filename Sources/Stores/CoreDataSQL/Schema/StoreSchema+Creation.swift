extension StoreSchema {
    /// The statements that create an empty store, in the same order as in recent stores of Apple's framework.
    package var creationStatements: [String] {
        tables.map(\.sql) + indexes.map(\.sql) + triggers.map(\.sql) + Self.bookkeepingStatements
    }

    /// The statements that create the R-trees of an empty store; they need SQLite's R-tree module.
    package var treeStatements: [String] { spatialIndexes.flatMap { [$0.treeStatement] + $0.triggerStatements } }

    /// The tables that every store has. Their columns have not changed since 2009; `Z_MODELCACHE` exists since 2015.
    package static let bookkeepingStatements = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]

    /// A row of `Z_PRIMARYKEY`; in a new store no key has been allocated, so `Z_MAX` is 0.
    package struct PrimaryKeyRow: Sendable, Equatable {
        package let number: Int
        package let name: String
        package let superNumber: Int
        package let greatestKey: Int64

        package init(number: Int, name: String, superNumber: Int, greatestKey: Int64 = 0) {
            self.number = number
            self.name = name
            self.superNumber = superNumber
            self.greatestKey = greatestKey
        }
    }

    /// The rows of `Z_PRIMARYKEY` in a new store.
    package var primaryKeyRows: [PrimaryKeyRow] {
        entities.map { PrimaryKeyRow(number: $0.number, name: $0.name, superNumber: $0.superNumber) }
    }
}
