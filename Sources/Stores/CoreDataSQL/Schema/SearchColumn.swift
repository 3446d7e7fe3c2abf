import CoreDataStore

/// A column of texts that a search index knows.
package struct SearchColumn: Sendable, Hashable {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
        self.table = table
        self.column = column
    }

    /// The columns of the attributes that a model marks (`CoreDataSearchIndexUserInfoKey`), in a fixed order: the number of
    /// a column is its place.
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
