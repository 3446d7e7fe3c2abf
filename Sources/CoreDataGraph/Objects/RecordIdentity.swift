import CoreDataModeling

extension NSManagedObjectID: RecordReference {
    package var recordIdentity: AnyHashable { self }
}

extension NSManagedObject: RecordReference {
    package var recordIdentity: AnyHashable { objectID }
}
