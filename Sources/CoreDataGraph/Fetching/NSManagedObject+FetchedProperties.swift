import CoreDataModeling

extension NSManagedObject {
    /// The result of a fetched property, kept until the object is refreshed; empty, and reported, when it fails.
    ///
    /// In its predicate `$FETCH_SOURCE` is this object and `$FETCHED_PROPERTY` the property's description.
    func fetchedValue(of property: NSFetchedPropertyDescription) -> [NSManagedObject] {
        fireFaultIfNeeded()
        if let known = working?.fetched[property.name] { return known }
        guard let context = registry?.context, let request = property.fetchRequest else { return [] }
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
        ])
        request.resultType = .managedObjectResultType
        do {
            let found = try FetchExecution(request, in: context).objects()
            workingValues().fetched[property.name] = found
            return found
        } catch {
            context.report(error, for: self)
            return []
        }
    }
}
