import CoreData
import Foundation

/// A model of people, teams and pets in a store in memory, with five people in it.
struct World {
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(filled: Bool = true) throws {
        model = World.makeModel()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        if filled { try fill() }
    }

    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func request(_ entity: String, _ format: String? = nil, _ arguments: [Any] = []) -> NSFetchRequest<NSManagedObject>
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    func people(_ format: String? = nil, _ arguments: [Any] = []) throws -> [NSManagedObject] {
        try context.fetch(request("Person", format, arguments))
    }

    func person(_ name: String) throws -> NSManagedObject {
        guard let found = try people("name == %@", [name]).first else { throw CocoaError(.coderValueNotFound) }
        return found
    }

    private func fill() throws {
        let red = insert("Team", ["name": "Red", "points": 7])
        let blue = insert("Team", ["name": "Blue", "points": 3])
        let people: [(String, Int, Double, NSManagedObject?)] = [
            ("Ann", 30, 1.5, red), ("Bob", 41, -2, red), ("Cid", 17, 0, blue), ("Émile", 30, 9.75, blue),
            ("eve", 65, 3, nil),
        ]
        for (name, age, score, team) in people {
            let person = insert("Person", ["name": name, "age": age, "score": score])
            person.setValue(team, forKey: "team")
            if age > 35 {
                person.setValue("likes \(name.lowercased())", forKey: "note")
                person.setValue(Date(timeIntervalSinceReferenceDate: Double(age)), forKey: "born")
            }
        }
        let pets = [("Rex", "Ann"), ("Tom", "Ann"), ("Kit", "Cid")]
        for (name, owner) in pets {
            insert("Pet", ["name": name]).setValue(try person(owner), forKey: "owner")
        }
        try context.save()
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = true, initial: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = initial
        return attribute
    }

    private static func relationship(
        _ name: String, _ entity: NSEntityDescription, max: Int, rule: NSDeleteRule = .nullifyDeleteRule,
        ordered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.maxCount = max
        relationship.deleteRule = rule
        relationship.isOrdered = ordered
        return relationship
    }

    private static func makeModel() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        let team = NSEntityDescription()
        let pet = NSEntityDescription()
        (person.name, team.name, pet.name) = ("Person", "Team", "Pet")
        let name = attribute("name", .stringAttributeType, optional: false)
        name.setValidationPredicates(
            [NSPredicate(format: "SELF.length >= 2"), NSPredicate(format: "SELF.length <= 20")],
            withValidationWarnings: ["short", "long"])
        let age = attribute("age", .integer16AttributeType, initial: 18)
        age.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 150")],
            withValidationWarnings: ["low", "high"])
        let members = relationship("members", person, max: 0)
        let personTeam = relationship("team", team, max: 1)
        let pets = relationship("pets", pet, max: 0, rule: .cascadeDeleteRule, ordered: true)
        let owner = relationship("owner", person, max: 1)
        (members.inverseRelationship, personTeam.inverseRelationship) = (personTeam, members)
        (pets.inverseRelationship, owner.inverseRelationship) = (owner, pets)
        let sponsor = relationship("sponsor", team, max: 1, rule: .denyDeleteRule)
        let sponsored = relationship("sponsored", person, max: 2, rule: .denyDeleteRule)
        (sponsor.inverseRelationship, sponsored.inverseRelationship) = (sponsored, sponsor)
        person.properties = [
            name, age, attribute("score", .doubleAttributeType, initial: 0.0), attribute("note", .stringAttributeType),
            attribute("born", .dateAttributeType), attribute("isActive", .booleanAttributeType, initial: true),
            personTeam, pets,
            sponsor,
        ]
        team.properties = [
            attribute("name", .stringAttributeType, optional: false),
            attribute("points", .integer64AttributeType, initial: 0),
            members, sponsored,
        ]
        pet.properties = [attribute("name", .stringAttributeType), owner]
        let model = NSManagedObjectModel()
        model.entities = [person, team, pet]
        return model
    }
}
