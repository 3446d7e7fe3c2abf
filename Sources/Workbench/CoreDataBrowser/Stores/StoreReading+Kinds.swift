import CoreData
import CoreDataKinds

extension StoreReading {
    /// The kinds of an entity's attributes.
    ///
    /// - Throws: Errors of the store.
    func kinds(of entity: NSEntityDescription, _ choices: KindChoices) throws -> EntityKinds {
        let own = choices[entity.name]
        return try opened.kinds.kinds(of: entity.name ?? "", hidden: opened.hidden, choices: own) {
            try context.kinds(of: entity, in: opened.store, choices: own)
        }
    }
}
