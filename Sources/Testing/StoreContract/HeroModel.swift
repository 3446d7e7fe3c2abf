import CoreDataGraph

/// The model of most graph tests: heroes with powers, teams, bases and each other.
package enum HeroModel {
    /// Creates a new instance of the model.
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Hero", class: "StoreContract.Hero",
            [
                "name": .stringAttributeType, "secretIdentity": .stringAttributeType,
                "strength": .integer16AttributeType,
                "birthDate": .dateAttributeType,
            ])
        builder.entity("SuperHero", in: "Hero", class: "StoreContract.Hero", ["cape": .booleanAttributeType])
        builder.entity(
            "Power", class: "StoreContract.Power",
            ["name": .stringAttributeType, "level": .integer32AttributeType])
        builder.entity("Team", ["name": .stringAttributeType])
        builder.entity("Base", ["name": .stringAttributeType])
        builder.entity("Note", ["text": .stringAttributeType])
        builder.entity("Node", ["number": .integer64AttributeType])
        builder.attribute("Hero.name").defaultValue = "Untitled Hero"
        builder.attribute("Hero.name").isOptional = false
        builder.relationships("Hero.powers*", "Power.hero", .cascadeDeleteRule)
        builder.relationships("Hero.teams*", "Team.members*")
        builder.relationships("Hero.nemesis", "Hero.hunter")
        builder.relationships("Hero.students*", "Hero.mentor")
        builder.relationships("Base.teams*", "Team.base", .denyDeleteRule)
        builder.relationships("Node.next", "Node.previous", .cascadeDeleteRule)
        builder.relationship("Note.subject", to: "Hero")
        builder.relationship("Note.readers*", to: "Hero")
        return builder.model
    }

    /// A stack with the model and an empty store.
    package static func stack(_ kind: StoreKind = .sqlite) throws -> Stack { try Stack(make(), kind: kind) }
}

/// A hero with stored properties, a custom accessor, a computed key, and a log of method calls.
package final class Hero: NSManagedObject {
    override package class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("name", \Hero.name), .stored("strength", \Hero.strength), .stored("birthDate", \Hero.birthDate),
        .stored("powers", \Hero.powers), .stored("nemesis", \Hero.nemesis),
        .custom(
            "secretIdentity", \Hero.secretIdentity, get: { ($0 as? Hero)?.secretIdentity },
            set: { ($0 as? Hero)?.secretIdentity = $1 as? String }),
        .custom("title", \Hero.title, get: { ($0 as? Hero)?.title }),
    ])

    package var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    package var strength: Int16 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    package var birthDate: Date? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    package var powers: Set<Power> {
        get { toMany(3) }
        set { setToMany(3, newValue) }
    }
    package var nemesis: Hero? {
        get { toOne(4) }
        set { setToOne(4, newValue) }
    }
    /// An attribute with a custom accessor that changes values to upper case.
    package var secretIdentity: String? {
        get {
            willAccessValue(forKey: "secretIdentity")
            defer { didAccessValue(forKey: "secretIdentity") }
            return primitiveValue(forKey: "secretIdentity") as? String
        }
        set {
            willChangeValue(forKey: "secretIdentity")
            setPrimitiveValue(newValue?.uppercased(), forKey: "secretIdentity")
            didChangeValue(forKey: "secretIdentity")
        }
    }
    package var title: String { "\(name ?? "") (\(secretIdentity ?? "?"))" }

    /// The calls of life cycle methods on the object, in order.
    package var log: [String] = []
    override package func awakeFromInsert() { log.append("insert") }
    override package func awakeFromFetch() { log.append("fetch") }
    override package func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        log.append("snapshot \(flags.rawValue)")
    }
    override package func prepareForDeletion() { log.append("delete") }
    override package func willSave() { log.append("willSave") }
    override package func didSave() { log.append("didSave") }
    override package func willTurnIntoFault() { log.append("willTurnIntoFault") }
    override package func didTurnIntoFault() { log.append("didTurnIntoFault") }
}

/// A power of a hero.
package final class Power: NSManagedObject {
    override package class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("name", \Power.name), .stored("level", \Power.level), .stored("hero", \Power.hero),
    ])

    package var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    package var level: Int32 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    package var hero: Hero? {
        get { toOne(2) }
        set { setToOne(2, newValue) }
    }
}
