import CoreDataStore

extension NSManagedObjectContext {
    /// Gives objects that the parent has not saved yet their permanent identifiers.
    func obtainIdentifiers(of objects: [NSManagedObject], from parent: NSManagedObjectContext) throws {
        guard !objects.isEmpty else { return }
        try ask(parent) {
            try parent.obtainPermanentIDs(for: objects.compactMap(parent.counterpart))
        }
        takeIdentities()
    }
}
