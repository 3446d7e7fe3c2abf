import CoreData

/// Exports objects of a store in one snapshot, portion by portion, as JSON that an import can read, or as CSV tables.
///
/// An object is `{"objectID", "entity", "attributes", "relationships"}`, with what is stored and not made from others.
/// Transformable values are the bytes that are stored, in base64. Entities come in an order in which to-one
/// relationships lead to objects that were written before, as far as there is one.
package struct StoreExport {
    /// The objects of one query.
    struct Part {
        let query: ObjectQuery
        let includesSubentities: Bool
    }

    private let store: OpenStore
    let parts: [Part]
    private let keys: Set<String>?
    private let links: LinkChoice

    /// Plans an export of all objects of the named entities and their subentities; of all entities if `names` is empty.
    ///
    /// `predicate` requires a single entity. `keys` are the only properties that are written; nil for all.
    /// - Throws: `InspectionError` for entities and keys that the model does not have.
    package init(
        _ store: OpenStore, entities names: [String] = [], where predicate: String? = nil, keys: [String]? = nil
    ) throws {
        self.store = store
        let given = try names.map { try store.entity(named: $0) }
        guard predicate == nil || given.count == 1 else {
            throw InspectionError(
                .badPredicate, subject: "predicate", cause: "it applies to a single entity",
                hint: "name the entity whose objects it selects")
        }
        var chosen: [NSEntityDescription] = []
        for entity in store.exportOrder where names.isEmpty || given.contains(where: { entity.isKindOf(entity: $0) }) {
            chosen.append(entity)
        }
        for key in keys ?? [] where !chosen.contains(where: { Self.hasKey(key, $0) }) {
            guard let entity = chosen.first else { continue }
            _ = try KeyRoute(key, from: entity)
            throw KeyRoute.unknown(key, of: entity, path: key)
        }
        self.keys = keys.map(Set.init)
        links = LinkChoice(entities: predicate == nil ? Set(chosen) : [])
        if predicate != nil {
            parts = try given.map {
                Part(query: try ObjectQuery($0, in: store.store, where: predicate), includesSubentities: true)
            }
        } else {
            parts = try chosen.map { Part(query: try ObjectQuery($0), includesSubentities: false) }
        }
    }

    /// Writes the objects and passes the text to `send` in blocks; returns the number of objects.
    ///
    /// `failures` receives each value that cannot be read, `progress` now and then the number of objects so far.
    /// - Throws: `InspectionError` where the store cannot answer, and what `send` throws.
    package func write(
        as format: ListFormat, failures: @escaping (String, String) -> Void, progress: (Int) -> Void = { _ in },
        to send: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int {
        if let key = keys?.first(where: { $0.contains(".") }), let composite = key.split(separator: ".").first {
            throw InspectionError(
                .unknownKey, subject: key, cause: "an element of a composite attribute is a column of tables alone",
                hint: "name '\(composite)', or write csv")
        }
        return try store.readingOneState { objects in
            guard var list = RowList(store, nil, as: format, where: isWritten, failures: failures) else { return 0 }
            for part in parts {
                let query = try store.storeQuery(part.query, includesSubentities: part.includesSubentities)
                try list.append(store.namingFile { try objects.rowStream(query) }, progress: progress, to: send)
            }
            try list.finish(to: send)
            return list.count
        }
    }

    /// Writes the objects as tables, each with a header line; returns the number of objects.
    ///
    /// There is a table for each entity that has objects of its own, or, if `isOneTable`, one for all of them. `begin`
    /// receives each table before its first block.
    /// - Throws: `InspectionError` where the store cannot answer, and what the blocks throw.
    package func writeTables(
        isOneTable: Bool, failures: @escaping (String, String) -> Void, progress: (Int) -> Void = { _ in },
        begin: (String) throws -> Void, to send: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int {
        try store.readingOneState { objects in
            var count = 0
            for group in isOneTable ? [parts[...]] : parts.indices.map({ parts[$0...$0] }) {
                let columns = columns(of: group)
                guard let first = group.first,
                    var list = RowList(store, nil, as: .csv, columns: columns, failures: failures)
                else { continue }
                try begin(first.query.entity.name ?? "")
                var titles = Self.line(columns)
                try titles.withUTF8 { try send(UnsafeRawBufferPointer($0)) }
                for part in group {
                    let query = try store.storeQuery(part.query, includesSubentities: part.includesSubentities)
                    let before = count
                    try list.append(
                        store.namingFile { try objects.rowStream(query) }, progress: { progress(before + $0) }, to: send
                    )
                }
                try list.finish(to: send)
                count += list.count
            }
            return count
        }
    }

    /// The columns that a table of some entities has: identity, attributes, relationships.
    private func columns(of group: ArraySlice<Part>) -> [String] {
        var entities = group.map(\.query.entity)
        if group.contains(where: \.includesSubentities) {
            entities = store.entities.filter { entity in entities.contains { entity.isKindOf(entity: $0) } }
        }
        let properties = entities.flatMap(\.properties).filter {
            isWritten($0) && !($0 is NSFetchedPropertyDescription)
        }
        let relationships = Set(properties.filter { $0 is NSRelationshipDescription }.map(\.name))
        let attributes = Set(properties.map(\.name)).subtracting(relationships)
        var elements: [String: [String]] = [:]
        for case let composite as NSCompositeAttributeDescription in properties {
            let known = elements[composite.name] ?? []
            elements[composite.name] = known + self.elements(of: composite).filter { !known.contains($0) }
        }
        let identity = ["objectID", "entity"].filter { !attributes.contains($0) && !relationships.contains($0) }
        return identity + attributes.sorted().flatMap { elements[$0] ?? [$0] } + relationships.sorted()
    }

    /// The columns of a composite attribute: its elements in the order of their declaration.
    private func elements(of composite: NSCompositeAttributeDescription) -> [String] {
        let names = CompositeCoding.leaves(of: composite).map { ([composite.name] + $0.path).joined(separator: ".") }
        guard let keys, !keys.contains(composite.name) else { return names }
        return names.filter(keys.contains)
    }

    /// Whether an entity has a property of a name, or an element of a composite attribute.
    private static func hasKey(_ key: String, _ entity: NSEntityDescription) -> Bool {
        if entity.propertiesByName[key] != nil { return true }
        guard key.contains("."), let route = try? KeyRoute(key, from: entity),
            case .element(_, _, let composite) = route.end
        else { return false }
        return entity.attributesByName[composite.name] === composite && key.hasPrefix(composite.name + ".")
    }

    private static func line(_ fields: [String]) -> String {
        var line = ByteText()
        for (number, field) in fields.enumerated() {
            if number > 0 { line.append(UInt8(ascii: ",")) }
            Array(field.utf8).withUnsafeBytes { line.append(field: $0) }
        }
        line.append("\r\n" as StaticString)
        return line.string
    }

    /// How many objects there are to write.
    package func count() throws -> Int {
        try parts.reduce(0) { count, part in
            let query = try store.storeQuery(part.query, includesSubentities: part.includesSubentities)
            return try count
                + store.namingFile { try store.store.serialized { try store.store.objects?.count(query) ?? 0 } }
        }
    }

    private func isWritten(_ property: NSPropertyDescription) -> Bool {
        if let keys {
            let isComposite = property is NSCompositeAttributeDescription
            return keys.contains(property.name)
                || isComposite && keys.contains { $0.hasPrefix(property.name + ".") }
        }
        if let relationship = property as? NSRelationshipDescription { return links.writes(relationship) }
        return !property.isTransient && !(property is NSDerivedAttributeDescription)
    }
}

extension OpenStore {
    /// Runs a block that sees one state of the store, unaffected by writers.
    func readingOneState<Result>(_ body: (any ObjectStore) throws -> Result) throws -> Result {
        try context.performAndWait {
            try store.serialized {
                guard let objects = store.objects else {
                    throw InspectionError(
                        .unreadable, subject: facts.url.place, cause: "the store is not open any more")
                }
                return try objects.readingOneState { try body(objects) }
            }
        }
    }

    /// The entities, neither abstract nor outside of the store; destinations of to-one relationships come first.
    var exportOrder: [NSEntityDescription] {
        let kept = entities.filter { !$0.isAbstract && store.keeps($0, of: coordinator.managedObjectModel) }
        var order: [NSEntityDescription] = []
        var seen: Set<NSEntityDescription> = []
        // A depth-first walk along the to-one relationships; its depth is bounded by the number of entities.
        func visit(_ entity: NSEntityDescription) {
            guard seen.insert(entity).inserted else { return }
            let toOne = entity.relationshipsByName.values.filter { !$0.isToMany }.sorted { $0.name < $1.name }
            for relationship in toOne {
                guard let destination = relationship.destinationEntity else { continue }
                for target in kept where target.isKindOf(entity: destination) { visit(target) }
            }
            order.append(entity)
        }
        kept.forEach(visit)
        return order
    }
}
