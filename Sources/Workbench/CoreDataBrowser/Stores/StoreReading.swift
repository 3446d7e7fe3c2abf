import CoreData

/// Reads the objects of a store for one call. Used on the queue of its context.
package struct StoreReading {
    /// The numbers of objects that are in memory at a time: usually, and for entities whose values may be large.
    private static let (usualPortion, smallPortion) = (100, 8)

    package let opened: ServedStore
    package let context: NSManagedObjectContext
    let reader: PropertyReader
    /// The names of a tab's unsaved objects, if the context is the tab's; nil otherwise.
    private let names: (any ObjectNames)?

    init(_ opened: ServedStore, _ context: NSManagedObjectContext, names: (any ObjectNames)? = nil) {
        self.opened = opened
        self.context = context
        self.names = names
        reader = PropertyReader(context)
    }

    /// A record that reads the values of an object.
    package func record(_ object: NSManagedObject) -> ObjectRecord { ObjectRecord(object: object, reader: reader) }

    /// The object of a name, such as `Hero/p7`, or `Hero/t1` for one that the tab has staged.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownEntity`.
    package func object(_ name: String) throws -> NSManagedObject {
        guard opened.hidden != nil else { return try anyObject(name) }
        // An error must not reveal whether there is a hidden entity of that name.
        let staged = names?.object(named: name)
        if staged == nil { _ = try opened.entity(named: ObjectAddress(name).entity) }
        let object = try staged ?? anyObject(name)
        _ = try opened.entity(named: object.entity.name ?? "")
        return object
    }

    /// The identifier of a saved object, by its name.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownEntity`.
    func identifier(at name: String) throws -> NSManagedObjectID {
        if opened.hidden != nil { _ = try opened.entity(named: ObjectAddress(name).entity) }
        return try opened.store.objectID(at: name)
    }

    private func anyObject(_ name: String) throws -> NSManagedObject {
        try names?.object(named: name) ?? context.object(at: name, in: opened.store)
    }

    /// The entity of an object, without its hidden parts.
    package func entity(of object: NSManagedObject) -> NSEntityDescription {
        guard opened.hidden != nil else { return object.entity }
        return opened.model.entitiesByName[object.entity.name ?? ""] ?? NSEntityDescription()
    }

    /// The attributes of an object that are shown, in the order of their names.
    func attributes(of object: NSManagedObject) -> [(name: String, reading: PropertyReading)] {
        let shown = entity(of: object).attributesByName
        return record(object).attributes.filter { shown[$0.name] != nil }
    }

    /// The name of an object in answers.
    func name(of object: NSManagedObject) -> String { names?.name(of: object) ?? object.objectID.shortText }

    /// The query without the objects of hidden subentities of its entity.
    package func limited(_ query: ObjectQuery) -> ObjectQuery {
        guard let hidden = opened.hidden?.entities, !hidden.isEmpty,
            opened.wholeModel.entities.contains(where: { entity in
                hidden.contains(entity.name ?? "") && entity.lineage.contains { $0.name == query.entity.name }
            })
        else { return query }
        var query = query
        let shown = NSPredicate(format: "NOT (entity.name IN %@)", hidden.sorted())
        query.predicate =
            query.predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [shown, $0]) } ?? shown
        return query
    }

    /// The identifiers of the objects that match a query.
    package func identifiers(_ query: ObjectQuery) throws -> [NSManagedObjectID] {
        try context.identifiers(query, in: opened.store)
    }

    /// Passes the objects of identifiers to `body`, some at a time; objects that no longer exist are left out.
    ///
    /// The context is reset after each portion, so that few large values are in memory at once; a tab's context, which
    /// has unsaved changes, is not.
    package func forEachObject(
        _ ids: [NSManagedObjectID], entity: NSEntityDescription, prefetching keys: [String] = [],
        body: ([NSManagedObject]) throws -> Void
    ) throws {
        let portion = entity.mayHaveLargeValues ? Self.smallPortion : Self.usualPortion
        for start in stride(from: 0, to: ids.count, by: portion) {
            let some = ids[start..<min(start + portion, ids.count)]
            try body(context.objects(some, entity, in: opened.store, prefetched: keys))
            if names == nil { context.reset() }
        }
    }

    /// The number of objects that match a query, without regard to its limit and offset.
    package func count(_ query: ObjectQuery) throws -> Int {
        try context.count(for: request(query) as NSFetchRequest<NSManagedObject>)
    }

    /// A request for the objects that match a query, without order, limit and offset.
    package func request<ResultType: NSFetchRequestResult>(_ query: ObjectQuery) -> NSFetchRequest<ResultType> {
        let request = NSFetchRequest<ResultType>(entityName: query.entity.name ?? "")
        request.affectedStores = [opened.store]
        request.predicate = query.predicate
        return request
    }
}

extension NSEntityDescription {
    /// Whether objects of the entity or of a subentity may have large values, so that only few should be read at a
    /// time.
    fileprivate var mayHaveLargeValues: Bool {
        attributesByName.values.contains { [.binary, .transformable].contains(AttributeKind($0)) }
            || subentities.contains(where: \.mayHaveLargeValues)
    }
}

extension StoreReading: EditTargets {
    package func object(_ name: String, for relationship: NSRelationshipDescription) throws -> NSManagedObject {
        try object(name)
    }
}
