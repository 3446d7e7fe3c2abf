import CoreDataStore

/// A stored record by two numbers: that of its entity in the model, and its key. Sixteen bytes where an object ID is many.
package struct RecordNumber: Hashable, Sendable {
    package let entity: Int
    package let key: Int64

    package init(entity: Int, key: Int64) {
        self.entity = entity
        self.key = key
    }
}

extension NSManagedObject {
    /// The numbers of the object's record; nil while its identifier is temporary.
    package var recordNumber: RecordNumber? {
        flags.contains(.temporary) ? nil : RecordNumber(entity: layout.number, key: key)
    }
}

extension NSManagedObjectContext {
    /// The objects of records of a store, as faults where the context does not have them.
    ///
    /// Numbers without an entity are ignored; whether the records exist is not checked.
    package func objects(of numbers: [RecordNumber], in store: NSPersistentStore) -> [NSManagedObject] {
        let entities = modelLayout.entities
        return numbers.compactMap { number in
            guard entities.indices.contains(number.entity) else { return nil }
            return object(at: RowAddress(binding: store.binding(for: entities[number.entity]), key: number.key))
        }
    }

    /// The number of an entity of the context's model, as `RecordNumber` has it.
    package func number(of entity: NSEntityDescription) -> Int? { modelLayout.layout(of: entity)?.number }
}
