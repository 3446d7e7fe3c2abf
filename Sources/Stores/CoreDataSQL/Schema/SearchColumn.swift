import CoreDataStore

/// A column of text that a search index covers.
package struct SearchColumn: Sendable, Hashable {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
        self.table = table
        self.column = column
    }

    /// Returns the columns of the attributes that the model marks with `CoreDataSearchIndexUserInfoKey`, in a fixed
    /// order; the number of a column is its index.
    package static func all(of schema: StoreSchema, _ layouts: ModelLayout) -> [SearchColumn] {
        var columns: Set<SearchColumn> = []
        for mapping in schema.entities {
            guard let entity = layouts.layout(named: mapping.name)?.entity else { continue }
            for attribute in mapping.attributes where attribute.elementPath.isEmpty {
                guard let description = entity.attributesByName[attribute.name], description.isMarkedForSearch,
                    description.canBeSearchIndexed
                else { continue }
                columns.insert(SearchColumn(table: mapping.table, column: attribute.column))
            }
        }
        return columns.sorted { ($0.table, $0.column) < ($1.table, $1.column) }
    }
}
