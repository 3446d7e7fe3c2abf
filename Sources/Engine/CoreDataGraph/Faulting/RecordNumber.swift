import CoreDataStore

/// Identifies a record of a store by the number of its entity in the model and by its key; smaller than an object ID.
package struct RecordNumber: Hashable, Sendable {
    package let entity: Int
    package let key: Int64

    package init(entity: Int, key: Int64) {
        self.entity = entity
        self.key = key
    }
}

extension NSManagedObject {
    /// The number of the object's record; nil while its identifier is temporary.
    package var recordNumber: RecordNumber? {
        flags.contains(.temporary) ? nil : RecordNumber(entity: layout.number, key: key)
    }
}

extension NSManagedObjectContext {
    /// The registered objects of records of a store, or new faults.
    ///
    /// Ignores numbers whose entity is not in the model; does not check that the records exist.
    package func objects(of numbers: [RecordNumber], in store: NSPersistentStore) -> [NSManagedObject] {
        let entities = modelLayout.entities
        return numbers.compactMap { number in
            guard entities.indices.contains(number.entity) else { return nil }
            return object(at: RowAddress(binding: store.binding(for: entities[number.entity]), key: number.key))
        }
    }

    /// The number of an entity in the context's model; nil for an entity of another model.
    package func number(of entity: NSEntityDescription) -> Int? { modelLayout.layout(of: entity)?.number }
}
