import CoreDataStore

/// A fetch of objects that reads only some of their attributes.
///
/// The objects are faults that also have the values of these attributes. Reading any other property fires the fault,
/// which reads the entire row and replaces these values with those of the row, so that all are from one snapshot. Rows
/// are not cached.
struct SelectedAttributes {
    private let fetch: FetchExecution
    private let names: [String]
    private static let identifier = "@self"

    /// Nil for a request of complete rows, or of keys only.
    ///
    /// - Throws: `NSCoreDataError` for names that are not properties of the entity, and for expressions, which objects
    ///   cannot have.
    init?(_ fetch: FetchExecution) throws {
        let request = fetch.request
        guard let wanted = request.propertiesToFetch, !wanted.isEmpty, request.resultType == .managedObjectResultType,
            request.includesPropertyValues, request.returnsObjectsAsFaults, !request.shouldRefreshRefetchedObjects,
            request.relationshipKeyPathsForPrefetching?.isEmpty ?? true
        else { return nil }
        self.fetch = fetch
        names = try wanted.compactMap { try Self.attribute($0, of: fetch.layout.entity) }
    }

    /// The name of a stored attribute; nil for any other property, which is read on demand.
    private static func attribute(_ item: Any, of entity: NSEntityDescription) throws -> String? {
        let name = (item as? NSPropertyDescription)?.name ?? item as? String
        guard let name, !(item is NSExpressionDescription) else {
            throw QueryRefusal.make(
                "propertiesToFetch of a fetch of objects takes names of properties and their descriptions, not "
                    + "\(type(of: item)); expressions need dictionaryResultType")
        }
        guard let property = entity.propertiesByName[name] else { throw QueryRefusal.unknownKey(name, of: entity) }
        return property is NSAttributeDescription && !property.isTransient ? name : nil
    }

    /// The query for a store: the identifier and the selected values of each object.
    func query(_ binding: EntityBinding, limit: Int, offset: Int) throws -> ValueQuery {
        let request = UntypedFetchRequest()
        fetch.request.copyValues(to: request)
        request.predicate = fetch.predicate
        let identifier = NSExpressionDescription()
        identifier.name = Self.identifier
        identifier.expression = .expressionForEvaluatedObject()
        request.propertiesToFetch = [identifier] + names
        (request.propertiesToGroupBy, request.havingPredicate) = (nil, nil)
        (request.fetchLimit, request.fetchOffset, request.returnsDistinctResults) = (limit, offset, false)
        return try ValueRequest(request: request, layout: fetch.layout).query(binding)
    }

    /// The objects of the result's rows. Objects that have their values, or a row from which to read them, are not
    /// changed.
    func objects(_ table: ValueTable) -> [NSManagedObject] {
        var addresses = AddressList()
        let objects = (0..<table.count).compactMap { row -> NSManagedObject? in
            guard let identifier = table.value(row, 0) as? NSManagedObjectID else { return nil }
            let address = RowAddress(binding: identifier.binding, key: identifier.key)
            addresses.append(address)
            let object = fetch.context.object(at: address)
            guard object.isFault, object.slab == nil else { return object }
            for (number, name) in names.enumerated() { object.keepFetched(table.value(row, number + 1), name) }
            return object
        }
        fetch.context.faultBatches.note(addresses)
        return objects
    }
}
