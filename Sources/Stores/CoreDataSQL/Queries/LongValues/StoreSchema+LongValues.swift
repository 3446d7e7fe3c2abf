import CoreDataStore

extension StoreSchema {
    /// The columns of texts and of data of any length, by table.
    package var longColumns: [String: [String: ColumnType]] {
        var columns: [String: [String: ColumnType]] = [:]
        for entity in entities {
            for attribute in entity.attributes where [.varchar, .blob].contains(attribute.columnType) {
                guard attribute.type != .UUIDAttributeType else { continue }
                columns[entity.table, default: [:]][attribute.column] = attribute.columnType
            }
        }
        return columns
    }
}
