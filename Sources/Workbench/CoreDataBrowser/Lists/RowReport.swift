import CoreData

/// The rows of a list, made of objects.
struct RowReport {
    let columns: ListColumns
    let kinds: RowKinds

    /// - Throws: Errors of the store, which the kinds are guessed by.
    init(_ columns: ListColumns, of entity: NSEntityDescription, _ choices: KindChoices, _ reading: StoreReading) throws
    {
        self.columns = columns
        kinds = RowKinds(
            try reading.kinds(of: entity, choices), of: entity, shown: Set(columns.routes.map(\.text)))
    }

    /// The rows of the objects with some identifiers, in the order of these; deleted objects are left out.
    func rows(_ ids: [NSManagedObjectID], _ entity: NSEntityDescription, with reading: StoreReading) throws
        -> [JSONValue]
    {
        let counts = try ShownMemberCounts(columns.counted, of: ids, entity, with: reading)
        var rows: [JSONValue] = []
        try reading.forEachObject(ids, entity: entity, prefetching: columns.prefetched) { objects in
            rows += objects.map { row($0, counts: counts, reading: reading) }
        }
        return rows
    }

    private func row(_ object: NSManagedObject, counts: ShownMemberCounts, reading: StoreReading) -> JSONValue {
        let record = reading.record(object)
        var values: [(String, JSONValue)] = []
        var links: [(String, JSONValue)] = []
        var numbers: [(String, JSONValue)] = []
        var unreadable: [(String, JSONValue)] = []
        var cut: [JSONValue] = []
        for route in columns.routes {
            if let relationship = route.toMany {
                numbers.append((route.text, .count(counts.count(relationship.name, of: object.objectID))))
                continue
            }
            let found = record.read(route)
            if case .object(let id) = found, !route.isObjectID {
                let target = reading.context.object(with: id)
                links.append((route.text, reading.link(to: target)))
                continue
            }
            let shown = ShownValue(found)
            if route.isRelationship {
                links.append((route.text, .null))
            } else {
                values.append((route.text, shown.json))
            }
            if shown.isCut { cut.append(.string(route.text)) }
            if let reason = shown.unreadable { unreadable.append((route.text, .string(reason))) }
        }
        let said = kinds.readings(record).map { ($0.use.key, $0.reading.json) }
        return .object(
            [
                ("id", .string(reading.name(of: object))), ("entity", .text(object.entity.name)),
                ("label", .string(reading.label(of: object))), ("values", .object(values)), ("links", .object(links)),
                ("counts", .object(numbers)), ("cut", .array(cut)), ("unreadable", .object(unreadable)),
            ] + (said.isEmpty ? [] : [("kinds", .object(said))]))
    }
}
