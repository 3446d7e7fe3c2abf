import CoreDataStore

extension NSManagedObject {
    /// The objects of the fetched property with a number in the class's property table, without objects of a class
    /// other than `Target`. Stops the program if the entity lacks this fetched property.
    public func fetchedObjects<Target: NSManagedObject>(_ number: Int) -> [Target] {
        let keys = layout.table.keys
        guard keys.indices.contains(number), case .fetched(let property) = layout.places[keys[number]] else {
            stop(
                "Entity '\(entity.name ?? "")' has no fetched property with the number \(number) of its class's table.")
        }
        return fetchedValue(of: property).compactMap { $0 as? Target }
    }

    /// The result of a fetched property; empty, after reporting the error, when the fetch fails.
    ///
    /// The result is cached until the object is refreshed, unless the property is live. In the predicate,
    /// `$FETCH_SOURCE` is this object and `$FETCHED_PROPERTY` is the property's description.
    func fetchedValue(of property: NSFetchedPropertyDescription) -> [NSManagedObject] {
        fireFaultIfNeeded()
        if let known = working?.fetched[property.name] { return known }
        guard let context = registry?.context, let request = property.request(for: self) else { return [] }
        do {
            let found = try FetchExecution(request, in: context).objects()
            if !property.isLive { workingValues().fetched[property.name] = found }
            return found
        } catch {
            context.report(error, for: self)
            return []
        }
    }
}
