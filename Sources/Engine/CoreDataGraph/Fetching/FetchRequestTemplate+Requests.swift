import CoreDataStore

extension FetchRequestTemplate {
    /// A new fetch request with the settings of the template. An entity that `model` lacks is looked up by name at
    /// execution.
    ///
    /// With a predicate that cannot be read, executing the request throws instead of returning all objects.
    func makeRequest(in model: NSManagedObjectModel?) -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        if let entity = entityName.flatMap({ model?.entitiesByName[$0] }) {
            request.entity = entity
        } else {
            request.named = entityName
        }
        request.predicate = predicateFormat.flatMap { try? NSPredicate(parsing: $0) }
        if request.predicate == nil, predicateFormat != nil || hasUnreadablePredicate {
            request.unreadablePredicate = predicateFormat ?? ""
        }
        request.sortDescriptors = sortKeys.isEmpty ? nil : sortKeys.map(\.descriptor)
        request.resultType = NSFetchRequestResultType(rawValue: UInt(clamping: resultType))
        request.fetchLimit = fetchLimit
        request.fetchOffset = fetchOffset
        request.fetchBatchSize = fetchBatchSize
        request.includesSubentities = includesSubentities
        request.includesPropertyValues = includesPropertyValues
        request.includesPendingChanges = includesPendingChanges
        request.returnsObjectsAsFaults = returnsObjectsAsFaults
        return request
    }

    /// The settings of a request, as far as a model file can represent them.
    init(_ request: UntypedFetchRequest) {
        self.init(entityName: request.entityName, predicateFormat: request.predicate?.formatString)
        hasUnreadablePredicate = request.unreadablePredicate != nil
        sortKeys = (request.sortDescriptors ?? []).compactMap(SortKey.init)
        resultType = Int(request.resultType.rawValue)
        fetchLimit = request.fetchLimit
        fetchOffset = request.fetchOffset
        fetchBatchSize = request.fetchBatchSize
        includesSubentities = request.includesSubentities
        includesPropertyValues = request.includesPropertyValues
        includesPendingChanges = request.includesPendingChanges
        returnsObjectsAsFaults = request.returnsObjectsAsFaults
    }
}

extension FetchRequestTemplate.SortKey {
    fileprivate var descriptor: NSSortDescriptor {
        NSSortDescriptor(key: key, ascending: ascending, selector: selector.map { Selector($0) })
    }

    fileprivate init?(_ descriptor: NSSortDescriptor) {
        guard let key = descriptor.key else { return nil }
        let name = descriptor.selector?.name
        self.init(key: key, ascending: descriptor.ascending, selector: name == "compare:" ? nil : name)
    }
}
