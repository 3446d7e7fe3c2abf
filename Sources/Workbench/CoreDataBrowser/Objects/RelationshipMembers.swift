import CoreData

/// A window of the objects in a relationship or a fetched property.
struct RelationshipMembers {
    let ids: [NSManagedObjectID]
    let total: Int

    /// Reads a window; for an unordered relationship with an inverse, the store fetches only the window.
    ///
    /// - Throws: `BrowserFailure` 422 for a property that cannot be read, and errors of the store.
    init(
        of property: NSPropertyDescription, _ object: NSManagedObject, offset: Int, limit: Int,
        sort: [NSSortDescriptor] = [], _ reading: StoreReading
    ) throws {
        if let request = Self.request(property, object: object, reading: reading) {
            total = try reading.context.count(for: request)
            request.resultType = .managedObjectIDResultType
            request.sortDescriptors = sort.isEmpty ? [NSSortDescriptor(key: "self", ascending: true)] : sort
            (request.fetchOffset, request.fetchLimit) = (offset, limit)
            ids = try reading.context.fetch(request)
            return
        }
        var all: [NSManagedObjectID]
        switch reading.record(object).reading(of: property) {
        case .object(let id): all = [id]
        case .objects(let found, _): all = found
        case .unreadable(let reason):
            throw BrowserFailure(422, code: "unreadable", reason: "\(property.name): \(reason)")
        default: all = []
        }
        if !sort.isEmpty, let first = all.first {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: first.entity.rootEntity.name ?? "")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "SELF IN %@", all)
            request.sortDescriptors = sort
            all = try reading.context.fetch(request)
        }
        let start = min(offset, all.count)
        ids = Array(all[start..<min(all.count, start + limit)])
        total = all.count
    }

    /// A request that fetches the members by the inverse relationship; nil if the relationship itself has to be read.
    private static func request(
        _ property: NSPropertyDescription, object: NSManagedObject, reading: StoreReading
    ) -> NSFetchRequest<NSManagedObjectID>? {
        guard let relationship = property as? NSRelationshipDescription, relationship.isToMany, !relationship.isOrdered,
            !relationship.isTransient, let inverse = relationship.inverseRelationship, !inverse.isTransient,
            let destination = relationship.destinationEntity
        else { return nil }
        let request = NSFetchRequest<NSManagedObjectID>(entityName: destination.name ?? "")
        request.affectedStores = [reading.opened.store]
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: inverse.name),
            rightExpression: NSExpression(forConstantValue: object),
            modifier: inverse.isToMany ? .any : .direct, type: .equalTo)
        return request
    }
}
