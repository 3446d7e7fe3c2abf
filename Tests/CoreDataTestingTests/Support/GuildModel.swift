import CoreData

/// Heroes of teams: rules, uniqueness, required and ordered relationships.
enum GuildModel {
    /// One model for all tests: it distinguishes the entities.
    static let model: NSManagedObjectModel = {
        let hero = entity("Hero", Hero.self)
        let team = entity("Team", Team.self)
        let oath = entity("Oath", Oath.self)
        let name = attribute("name", .stringAttributeType, isOptional: false)
        name.setValidationPredicates(
            [NSPredicate(format: "length >= 5"), NSPredicate(format: "length <= 12")],
            withValidationWarnings: ["too short", "too long"])
        let rank = attribute("rank", .integer16AttributeType, isOptional: false)
        rank.setValidationPredicates(
            [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= 9")],
            withValidationWarnings: ["too low", "too high"])
        let code = attribute("code", .stringAttributeType, isOptional: false)
        let joined = attribute("joined", .dateAttributeType, isOptional: true)
        let badge = attribute("badge", .binaryDataAttributeType, isOptional: true)
        let grade = attribute("grade", .integer32AttributeType, isOptional: false)
        grade.defaultValue = 3
        hero.properties = [name, rank, code, joined, badge, grade]
        hero.uniquenessConstraints = [["code"]]
        team.properties = [attribute("title", .stringAttributeType, isOptional: false)]
        oath.properties = [attribute("text", .stringAttributeType, isOptional: false)]
        link(hero, "team", isToMany: false, isOptional: false, team, "members", isToMany: true, isOptional: true)
        link(
            hero, "oaths", isToMany: true, isOptional: false, oath, "hero", isToMany: false, isOptional: false, least: 2
        )
        let model = NSManagedObjectModel()
        model.entities = [hero, team, oath]
        return model
    }()

    /// A model whose entity requires another object of its own kind without end.
    static let endless: NSManagedObjectModel = {
        let link = entity("Link", NSManagedObject.self)
        let next = NSRelationshipDescription()
        (next.name, next.destinationEntity, next.maxCount, next.isOptional) = ("next", link, 1, false)
        link.properties = [next]
        let model = NSManagedObjectModel()
        model.entities = [link]
        return model
    }()

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = (name, NSStringFromClass(type))
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isOptional: Bool
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, isOptional)
        return attribute
    }

    private static func link(
        _ one: NSEntityDescription, _ name: String, isToMany: Bool, isOptional: Bool, _ other: NSEntityDescription,
        _ back: String, isToMany isBackToMany: Bool, isOptional isBackOptional: Bool, least: Int = 0
    ) {
        let (there, here) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.isOptional) = (name, other, isOptional)
        (here.name, here.destinationEntity, here.isOptional) = (back, one, isBackOptional)
        (there.maxCount, here.maxCount) = (isToMany ? 0 : 1, isBackToMany ? 0 : 1)
        there.minCount = least
        (there.inverseRelationship, here.inverseRelationship) = (here, there)
        one.properties.append(there)
        other.properties.append(here)
    }
}

final class Hero: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("name", \Hero.name), .stored("rank", \Hero.rank), .stored("code", \Hero.code),
        .stored("joined", \Hero.joined), .stored("team", \Hero.team),
    ])
    var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var rank: Int16 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var code: String? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var joined: Date? {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var team: Team? {
        get { toOne(4) }
        set { setToOne(4, newValue) }
    }
}

final class Team: NSManagedObject {}
final class Oath: NSManagedObject {}
