import CoreData

extension EditSession {
    /// The name in addresses of an object of a scratch context; `Hero/new` for one that was inserted there.
    func scratchName(_ object: NSManagedObject) -> String {
        guard object.objectID.isTemporaryID else { return object.objectID.shortText }
        return context.registeredObject(for: object.objectID).map(names.name) ?? "\(object.entity.name ?? "")/new"
    }
}
