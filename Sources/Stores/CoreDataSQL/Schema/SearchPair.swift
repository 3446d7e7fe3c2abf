import CoreDataStore

/// Two columns of coordinates that a search index covers.
package struct SearchPair: Sendable, Hashable {
    package let table: String
    package let x: String
    package let y: String

    package init(table: String, x: String, y: String) {
        self.table = table
        self.x = x
        self.y = y
    }

    /// Returns the pairs of attributes that the model marks with `CoreDataSearchPairUserInfoKey`, in a fixed order; the
    /// number of a pair is its index.
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

    /// Maps a stored number monotonically to the range of the index, which has 32-bit numbers.
    ///
    /// Nil stands for text and blobs, which other programs may have stored; in SQL these sort after all numbers.
    package static func place(of number: Double?) -> Double {
        guard let number, abs(number) >= nearest else { return number == nil ? farthest : 0 }
        return min(max(number, -farthest), farthest)
    }

    /// Outside of these magnitudes SQLite does not round 32-bit numbers outwards.
    private static let (nearest, farthest) = (1e-37, 3e38)
}

/// The contents of the search index that is available.
package struct SearchCatalog: Sendable {
    /// The columns whose texts the index has, with their numbers.
    package let columns: [SearchColumn: Int]
    /// The pairs of columns whose coordinates the index has, in the order of their numbers.
    package let pairs: [SearchPair]

    package init(columns: [SearchColumn] = [], pairs: [SearchPair] = []) {
        self.columns = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        self.pairs = pairs
    }
}
