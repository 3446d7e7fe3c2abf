import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// Finds out what was saved since the last capture: by the store's history, or by comparing all rows with what was last known.
///
/// History says which rows changed and has no values: these are read from the rows as they are now. So saves that follow each other
/// before a capture are captured as one, and a row that was inserted and deleted between two captures never existed for the peers.
struct LocalChangeReader {
    /// Who changed rows on behalf of peers; such transactions are not captured.
    static let author = "OpenCoreData.sync"

    let finder: RowFinder
    let map: IdentityMap

    /// Rows that changed, and objects whose rows are gone.
    struct Touched {
        /// The keys of inserted and updated rows, by the number of a layout of their hierarchy.
        var changed: [Int: Set<Int64>] = [:]
        var deleted: Set<ObjectIdentity> = []

        var isEmpty: Bool { changed.isEmpty && deleted.isEmpty }
    }

    // MARK: History

    /// What transactions after one changed; nil if the history does not have them all.
    func touched(after number: Int64, through newest: Int64, _ history: any HistoryKeeping) throws -> Touched? {
        let extent = try history.historyExtent()
        guard extent.newest >= number, extent.holdsAll(after: number) else { return nil }
        var touched = Touched()
        let query = HistoryQuery(after: .number(number), through: newest)
        try history.readHistory(query) { transaction in
            transaction.author == Self.author ? .next : .changes
        } change: { change in
            guard let address = change.address, finder.mapping[address.layout] != nil else { return }
            if change.kind == .delete {
                touched.changed[address.layout.number]?.remove(address.key)
                let row = IdentityMap.Row(root: finder.mapping.root(of: address.layout), key: address.key)
                if let object = try map.identity(of: row) { touched.deleted.insert(object) }
            } else {
                touched.changed[address.layout.number, default: []].insert(address.key)
            }
        }
        touched.changed = touched.changed.filter { !$0.value.isEmpty }
        return touched
    }

    // MARK: Comparison

    /// All rows, and the objects that have none.
    func everything() throws -> Touched {
        var touched = Touched()
        var present: [SchemaID: Set<Int64>] = [:]
        for entity in finder.mapping.entities where !entity.layout.isAbstract {
            let keys = try finder.keys(entity.layout)
            if !keys.isEmpty { touched.changed[entity.layout.number] = Set(keys) }
            present[finder.mapping.root(of: entity.layout), default: []].formUnion(keys)
        }
        for root in Set(finder.mapping.entities.map { finder.mapping.root(of: $0.layout) }) {
            for (key, object) in try map.rows(ofRoot: root) where present[root]?.contains(key) != true {
                touched.deleted.insert(object)
            }
        }
        return touched
    }
}

/// Makes the engine's changes of rows that were touched.
struct LocalChangeBuilder {
    let finder: RowFinder
    let map: IdentityMap
    /// The row of an object as it was last known; nil if it was not shown.
    let known: (ObjectIdentity) throws -> SyncRow?
    /// The numbers of rows without an object.
    private(set) var numbers: [IdentityMap.Row: Int] = [:]
    private(set) var places: [Int: IdentityMap.Place] = [:]

    init(_ finder: RowFinder, _ map: IdentityMap, known: @escaping (ObjectIdentity) throws -> SyncRow?) {
        self.finder = finder
        self.map = map
        self.known = known
    }

    /// The changes of rows: insertions of those without an object, updates of the others.
    ///
    /// - Parameter hasLinks: Whether relationships are part of them.
    mutating func changes(_ rows: [RowFinder.Found], hasLinks: Bool = true) throws -> [LocalChange] {
        for found in rows where try map.identity(of: found.row) == nil && numbers[found.row] == nil {
            places[numbers.count] = IdentityMap.Place(row: found.row, entity: found.entity.entity.id)
            numbers[found.row] = numbers.count
        }
        return try rows.compactMap { found in
            let links = hasLinks ? try found.links.mapValues { try $0.compactMap { try local($0) } } : [:]
            guard let object = try map.identity(of: found.row) else {
                guard let number = numbers[found.row] else { return nil }
                return LocalChange(
                    .new(number), .insert(entity: found.entity.name), values: found.values, links: links)
            }
            return try update(object, found, links)
        }
    }

    private func local(_ row: IdentityMap.Row) throws -> LocalObject? {
        if let object = try map.identity(of: row) { return .known(object) }
        return numbers[row].map { .new($0) }
    }

    private func update(
        _ object: ObjectIdentity, _ found: RowFinder.Found, _ links: [String: [LocalObject]]
    ) throws -> LocalChange? {
        guard let before = try known(object) else { return LocalChange(.known(object), .update, values: found.values) }
        let keeper = StoreRounding(finder)
        let values = found.values.filter { name, value in
            before.values[name].map { !keeper.isSame($0, value) } ?? true
        }
        let changed = links.filter { name, objects in
            let former = (before.links[name] ?? []).map { LocalObject.known($0) }
            if found.entity.ends.first(where: { $0.name == name })?.relationship.isOrdered == true {
                return objects != former
            }
            return Set(objects) != Set(former)
        }
        guard !values.isEmpty || !changed.isEmpty else { return nil }
        return LocalChange(.known(object), .update, values: values, links: changed)
    }
}

/// What becomes of values in a store that keeps not all of them exactly: such a difference is no edit.
struct StoreRounding {
    private let keepsDecimals: Bool
    private let keepsReals: Bool

    init(_ finder: RowFinder) {
        keepsDecimals = !finder.source.roundsDecimals && finder.store.capabilities.contains(.exactDecimals)
        keepsReals = finder.store.capabilities.contains(.exactReals)
    }

    /// Whether a row that should have one value may have the other.
    func isSame(_ wanted: SyncValue, _ present: SyncValue) -> Bool {
        if wanted == present { return true }
        switch (wanted, present) {
        case (.decimal(let one), .decimal(let other)):
            return one == other || !keepsDecimals && KeptDecimal.rounded(one) == KeptDecimal.rounded(other)
        case (.double(let one), .double(let other)), (.date(let one), .date(let other)):
            return !keepsReals && one == other
        case (.float(let one), .float(let other)): return !keepsReals && one == other
        case (.double(let one), .null), (.date(let one), .null): return !keepsReals && one.isNaN
        case (.float(let one), .null): return !keepsReals && one.isNaN
        case (.array(let elements), .null): return elements.isEmpty
        default: return false
        }
    }
}
