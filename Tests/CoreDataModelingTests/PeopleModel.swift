import CoreDataModeling

/// A model built in code: Person (name, birthday) > Hero (powers) > Sidekick (rank), and Power (owner).
struct PeopleModel {
    let model = NSManagedObjectModel()
    let person = NSEntityDescription()
    let hero = NSEntityDescription()
    let sidekick = NSEntityDescription()
    let power = NSEntityDescription()

    init() {
        person.name = "Person"
        hero.name = "Hero"
        sidekick.name = "Sidekick"
        power.name = "Power"
        person.properties = [attribute("name", .string), attribute("birthday", .date)]
        sidekick.properties = [attribute("rank", .integer16)]
        let powers = relationship("powers", to: power, maxCount: 0)
        let owner = relationship("owner", to: hero, maxCount: 1)
        powers.inverseRelationship = owner
        owner.inverseRelationship = powers
        hero.properties = [powers]
        power.properties = [owner]
        person.subentities = [hero]
        hero.subentities = [sidekick]
        model.entities = [person, power]
    }

    private func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        return attribute
    }

    private func relationship(_ name: String, to target: NSEntityDescription, maxCount: Int)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = target
        relationship.maxCount = maxCount
        return relationship
    }
}
