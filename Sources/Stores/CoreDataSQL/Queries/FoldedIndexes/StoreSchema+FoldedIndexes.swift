import CoreDataStore

extension StoreSchema {
    /// The schema with an additional folded text index for each string attribute that is the first element of a model's
    /// index, for databases that search under `[c]`, `[d]` and `[cd]` with their own functions.
    package var withFoldedIndexes: StoreSchema {
        var texts: [String: Set<String>] = [:]
        for entity in entities {
            for attribute in entity.attributes where attribute.type == .stringAttributeType {
                texts[entity.table, default: []].insert(attribute.column)
            }
        }
        var copy = self
        var seen: Set<[String]> = []
        for index in indexes where !index.isUnique && !index.isFolded {
            guard let element = index.elements.first, element.isAscending != nil,
                texts[index.table]?.contains(element.column) == true,
                seen.insert([index.table, element.column]).inserted
            else { continue }
            copy.indexes.append(
                IndexDefinition(
                    name: "\(index.table)_\(element.column)_FOLDED", table: index.table, isUnique: false,
                    elements: [.init(column: element.column, isAscending: true)], isFolded: true))
        }
        return copy
    }

    /// The folded text indexes.
    package var foldedIndexes: [IndexDefinition] { indexes.filter(\.isFolded) }
}
