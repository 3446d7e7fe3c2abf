// From 'One' to 'Two': what the mapping model beside this file leaves to code. Each place that is marked DECIDE is to
// be looked at. The classes are found once ObjectClassResolver.register(module:) has named their module.
import CoreData

/// Desk to Desk
final class DeskOneToDeskTwoMigrationPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
        for destination in made {
            // DECIDE 1: Desk.label: its type was String and is Integer 64, and inference converts no such values.
            // Text that is not such a number becomes nothing.
            if let value = source.value(forKey: "label") as? String {
                destination.setValue(Int64(value), forKey: "label")
            }
        }
    }
}

/// Person to Person
final class PersonOneToPersonTwoMigrationPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
        for destination in made {
            // DECIDE 2: Person.age: its type was Integer 32 and is String, and inference converts no such values.
            // The text is the number in digits.
            if let value = source.value(forKey: "age") as? NSNumber {
                destination.setValue(value.stringValue, forKey: "age")
            }
            // DECIDE 3: Person.code: it was optional and is required, and has no default value.
            // The value is taken over. Where there is none, give one: destination.setValue(…, forKey: "code").
            // DECIDE 4: Person.born: its type was Date and is Double, and inference converts no such values.
            // The number is that of seconds since 2001; use timeIntervalSince1970 for those since 1970.
            if let value = source.value(forKey: "born") as? Date {
                destination.setValue(value.timeIntervalSinceReferenceDate, forKey: "born")
            }
            // DECIDE 5: Person.level: objects of before have no value for it, and it is required.
            // Nothing is set. Set a value: destination.setValue(…, forKey: "level").
        }
    }

    override func createRelationships(
        forDestination destination: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
        // DECIDE 6: Person.desks: it was to-many and is to-one, and nothing says which object stays.
        // Nothing is set. Nor is its inverse Desk.owner, which would set it by the way. Find what is right and set it:
        // destination.setValue(…, forKey: "desks").
        // The objects of before, and by the name of another mapping what became of theirs:
        // manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])
        // manager.destinationInstances(forEntityMappingName: …, sourceInstances: …)
    }
}

/// Person to Address
final class PersonOneToAddressTwoMigrationPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        // DECIDE 7: Address: 'Person' loses city, street, which this has.
        // Each object of Person becomes one of Address. If only some do, return here for the others; if none does, take
        // the mapping out of the model.
        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
}
