import CoreData

/// The objects that match a query, counted by their values.
package struct ObjectGroups {
    package struct Group {
        package let values: [PropertyReading]
        package let count: Int
    }

    package let routes: [KeyRoute]
    /// The groups, the largest first; groups of equal size are in the order of their values.
    package let groups: [Group]

    /// The groups as JSON: an object for each, with the values by their key paths, and `count`.
    package var json: [JSONValue] {
        groups.map { group in
            .object(zip(routes, group.values).map { ($0.text, $1.json) } + [("count", .count(group.count))])
        }
    }
}

extension OpenStore {
    /// Counts the objects that match a query, with regard to its limit and offset.
    ///
    /// - Throws: `InspectionError` if the store cannot be read.
    package func count(_ query: ObjectQuery) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: query.entity.name ?? "")
        request.predicate = query.predicate
        request.fetchLimit = query.limit
        request.fetchOffset = query.offset
        return try context.performAndWait { try namingFile { try context.count(for: request) } }
    }

    /// Counts the objects that match a query by the values at the ends of routes; its limit and offset apply to the
    /// groups.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` for a route whose values cannot form groups, or if the store
    ///   cannot be read.
    package func groups(of query: ObjectQuery, by routes: [KeyRoute]) throws -> ObjectGroups {
        for route in routes { try route.requireGroupable() }
        let found = try context.performAndWait {
            try namingFile { try context.groups(of: query, by: routes, in: store) }
        }
        let rest = ObjectGroups.sorted(found).dropFirst(query.offset)
        return ObjectGroups(routes: routes, groups: Array(query.limit > 0 ? rest.prefix(query.limit) : rest))
    }
}

extension ObjectGroups {
    /// Sorts groups: the largest first; groups of equal size in the order of their values.
    package static func sorted(_ groups: [Group]) -> [Group] {
        let keyed = groups.map { group in (group, group.values.map { $0.text ?? "" }) }
        let sorted = keyed.sorted { left, right in
            left.0.count == right.0.count
                ? left.1.lexicographicallyPrecedes(right.1) : left.0.count > right.0.count
        }
        return sorted.map(\.0)
    }

    /// Groups equal readings and counts them.
    package static func counted(_ readings: [PropertyReading]) -> [Group] {
        var groups: [String?: Group] = [:]
        for reading in readings {
            groups[reading.text] = Group(values: [reading], count: (groups[reading.text]?.count ?? 0) + 1)
        }
        return Array(groups.values)
    }
}

extension NSManagedObjectContext {
    /// The objects of a store that match a query, counted by the values at the ends of routes; the groups are not
    /// sorted.
    ///
    /// `limit` is the greatest number of groups; 0 for all.
    /// - Throws: Errors of the store.
    package func groups(
        of query: ObjectQuery, by routes: [KeyRoute], in store: NSPersistentStore, limit: Int = 0
    ) throws -> [ObjectGroups.Group] {
        let number = NSExpressionDescription()
        // A blank makes the name differ from all property names.
        number.name = "number of objects"
        number.expression = NSExpression(
            forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
        number.expressionResultType = .integer64AttributeType
        let request = Self.values(of: query, at: routes, in: store, limit: limit)
        request.propertiesToGroupBy = routes.map(\.text)
        request.propertiesToFetch?.append(number)
        return try fetch(request).map { line in
            ObjectGroups.Group(
                values: routes.map { $0.reading(ofValue: line[$0.text]) },
                count: (line[number.name] as? NSNumber)?.intValue ?? 0)
        }
    }

    /// The values at the end of a route, of the first objects that match a query.
    ///
    /// - Throws: Errors of the store.
    package func readings(
        of query: ObjectQuery, at route: KeyRoute, in store: NSPersistentStore, limit: Int
    ) throws -> [PropertyReading] {
        try fetch(Self.values(of: query, at: [route], in: store, limit: limit))
            .map { route.reading(ofValue: $0[route.text]) }
    }

    private static func values(
        of query: ObjectQuery, at routes: [KeyRoute], in store: NSPersistentStore, limit: Int
    ) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: query.entity.name ?? "")
        request.affectedStores = [store]
        request.resultType = .dictionaryResultType
        request.predicate = query.predicate
        request.propertiesToFetch = routes.map(\.text)
        request.fetchLimit = limit
        return request
    }
}

extension KeyRoute {
    /// - Throws: `InspectionError` of code `unknownKey` for a route whose values cannot be compared.
    package func requireGroupable() throws {
        guard isGroupable else {
            throw InspectionError(
                .unknownKey, subject: text,
                cause: "only stored attributes of plain types and to-one relationships make groups")
        }
    }

    /// - Throws: `InspectionError` of code `unknownKey` for a route that ends in a property that is not stored.
    package func requireStored() throws {
        let property: NSPropertyDescription? =
            switch end {
            case .attribute(let attribute), .element(_, _, let attribute): attribute
            case .relationship(let relationship): relationship
            case .count, .objectID, .entityName: nil
            }
        guard property?.isTransient != true else {
            throw InspectionError(
                .unknownKey, subject: text, cause: "the property is transient: the store has no values of it")
        }
    }

    private var isGroupable: Bool {
        switch end {
        case .element(let element, _, let composite):
            !composite.isTransient && ![.transformable, .undefined].contains(AttributeKind(element))
                && !element.allowsExternalBinaryDataStorage
        case .attribute(let attribute):
            !attribute.isTransient && ![.transformable, .composite, .undefined].contains(AttributeKind(attribute))
        case .relationship(let relationship): !relationship.isToMany && !relationship.isTransient
        case .count, .objectID, .entityName: false
        }
    }

    package func reading(ofValue value: Any?) -> PropertyReading {
        switch (end, value) {
        case (_, nil), (_, is NSNull): .null
        case (_, let id as NSManagedObjectID): .object(id)
        case (.attribute(let attribute), let value?), (.element(let attribute, _, _), let value?):
            .value(value, AttributeKind(attribute))
        default: .null
        }
    }
}
