import CoreDataModeling

extension NSManagedObject {
    /// The result of a fetched property, kept until the object is refreshed; empty, and reported, when it fails.
    ///
    /// In its predicate `$FETCH_SOURCE` is this object and `$FETCHED_PROPERTY` the property's description.
    func fetchedValue(of property: NSFetchedPropertyDescription) -> [NSManagedObject] {
        fireFaultIfNeeded()
        if let known = working?.fetched[property.name] { return known }
        guard let context = registry?.context, let template = property.fetchRequestTemplate else { return [] }
        let request = NSFetchRequest<NSManagedObject>(entityName: template.entityName ?? entity.name ?? "")
        do {
            if let format = template.predicateFormat {
                request.predicate = try NSPredicate(parsing: format).withSubstitutionVariables([
                    "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
                ])
            }
            request.sortDescriptors = template.sortKeys.map { NSSortDescriptor(key: $0.key, ascending: $0.ascending) }
            request.fetchLimit = template.fetchLimit
            let found = try context.fetch(request)
            workingValues().fetched[property.name] = found
            return found
        } catch {
            context.report(error, for: self)
            return []
        }
    }
}
