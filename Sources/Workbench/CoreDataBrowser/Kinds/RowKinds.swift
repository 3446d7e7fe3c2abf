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
        routes = Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                (try? KeyRoute(path, from: entity)).map { (path, $0) }
            })
        self.kinds = kinds.limited(to: uses)
    }

    /// The uses whose attribute is not nil in an object, with what its value says.
    func readings(_ record: ObjectRecord) -> [(use: KindUse, reading: KindReading)] {
        routes.isEmpty ? [] : kinds.readings(values(record))
    }

    /// All uses, with what the values of an object say and what the views of their kinds show.
    func json(_ record: ObjectRecord) -> [JSONValue] {
        let values = values(record)
        let said = Dictionary(kinds.readings(values).map { ($0.use.key, $0.reading) }) { first, _ in first }
        return kinds.uses.map { use in
            guard case .members(var members) = use.json else { return .null }
            if let reading = said[use.key] { members.append(.init(key: "reading", value: reading.json)) }
            if said[use.key] != nil, let content = KindRegistry.kind(use.kind)?.content(values, use) {
                members.append(.init(key: "content", value: content))
            }
            return .members(members)
        }
    }

    private func values(_ record: ObjectRecord) -> KindValues {
        var values: [String: Any] = [:]
        for (path, route) in routes {
            if case .value(let value, _) = record.read(route) { values[path] = value }
        }
        return KindValues(values)
    }
}
