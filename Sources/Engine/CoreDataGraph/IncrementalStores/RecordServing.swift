import CoreDataStore

/// The methods of a store class of the program that `IncrementalRecords` calls, whichever class it inherits from.
protocol RecordServing: ObjectServingStore {
    func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any
    func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode
    func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any
    func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID]
    func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID])
    func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID])
}

extension NSIncrementalStore: RecordServing {}
