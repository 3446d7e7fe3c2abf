import CoreData
import CoreDataKinds

/// What the values of objects say by their kinds, of those attributes that are shown.
struct RowKinds {
    private let kinds: EntityKinds
    private let routes: [String: KeyRoute]

    /// - Parameter shown: The key paths that are shown; nil for all.
    init(_ kinds: EntityKinds, of entity: NSEntityDescription, shown: Set<String>? = nil) {
        let uses = kinds.uses.filter { shown?.contains($0.key) ?? true }
        let paths = Set(uses.flatMap(\.keys))
        routes = Dictionary(uniqueKeysWithValues: paths.compactMap { path in
            (try? KeyRoute(path, from: entity)).map { (path, $0) }
        })
        self.kinds = kinds.limited(to: uses)
    }

    /// The uses whose attribute is not nil in an object, with what its value says.
    func readings(_ record: ObjectRecord) -> [(use: KindUse, reading: KindReading)] {
        guard !routes.isEmpty else { return [] }
        var values: [String: Any] = [:]
        for (path, route) in routes {
            if case .value(let value, _) = record.read(route) { values[path] = value }
        }
        return kinds.readings(KindValues(values))
    }
}
