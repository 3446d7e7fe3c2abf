import CoreDataStore

/// Two columns of coordinates that a search index knows.
package struct SearchPair: Sendable, Hashable {
    package let table: String
    package let x: String
    package let y: String

    package init(table: String, x: String, y: String) {
        self.table = table
        self.x = x
        self.y = y
    }

    /// The pairs of attributes that a model marks (`CoreDataSearchPairUserInfoKey`), in a fixed order: the number of a pair
    /// is its place.
    package static func all(of schema: StoreSchema, _ layouts: ModelLayout) -> [SearchPair] {
        var pairs: Set<SearchPair> = []
        for mapping in schema.entities {
            guard let entity = layouts.layout(named: mapping.name)?.entity else { continue }
            let columns = Dictionary(
                mapping.attributes.filter(\.elementPath.isEmpty).map { ($0.name, $0.column) }, uniquingKeysWith: { $1 })
            for (name, column) in columns {
                guard let attribute = entity.attributesByName[name], attribute.canBeCoordinate,
                    let partner = attribute.markedPartner, partner != name,
                    entity.attributesByName[partner]?.canBeCoordinate == true, let other = columns[partner]
                else { continue }
                pairs.insert(SearchPair(table: mapping.table, x: column, y: other))
            }
        }
        return pairs.sorted { ($0.table, $0.x, $0.y) < ($1.table, $1.x, $1.y) }
    }

    /// The place of a stored number in the index, which has numbers of 32 bits: never out of the order of the numbers.
    ///
    /// In SQL texts and blobs, which programs that know SQL alone may have put there, come after all numbers.
    package static func place(of number: Double?) -> Double {
        guard let number, abs(number) >= nearest else { return number == nil ? farthest : 0 }
        return min(max(number, -farthest), farthest)
    }

    /// Beyond these SQLite's numbers of 32 bits are not rounded outwards.
    private static let (nearest, farthest) = (1e-37, 3e38)
}

/// What a search index at hand knows.
package struct SearchCatalog: Sendable {
    /// The columns whose texts it has, with their numbers.
    package let columns: [SearchColumn: Int]
    /// The pairs of columns whose coordinates it has, at the places of their numbers.
    package let pairs: [SearchPair]

    package init(columns: [SearchColumn] = [], pairs: [SearchPair] = []) {
        self.columns = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        self.pairs = pairs
    }
}
