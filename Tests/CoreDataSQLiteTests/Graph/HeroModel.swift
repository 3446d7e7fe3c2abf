import CoreData
import CoreDataTestSupport

/// The model of most graph tests: heroes with powers, teams, bases and each other.
enum HeroModel {
    static func make() -> NSManagedObjectModel {
        let draft = ModelDraft()
        draft.entity(
            "Hero", class: "CoreDataSQLiteTests.Hero",
            [
                "name": .stringAttributeType, "secretIdentity": .stringAttributeType,
                "strength": .integer16AttributeType,
                "birthDate": .dateAttributeType,
            ])
        draft.entity("SuperHero", in: "Hero", class: "CoreDataSQLiteTests.Hero", ["cape": .booleanAttributeType])
        draft.entity(
            "Power", class: "CoreDataSQLiteTests.Power",
            ["name": .stringAttributeType, "level": .integer32AttributeType])
        draft.entity("Team", ["name": .stringAttributeType])
        draft.entity("Base", ["name": .stringAttributeType])
        draft.entity("Note", ["text": .stringAttributeType])
        draft.entity("Node", ["number": .integer64AttributeType])
        draft.attribute("Hero.name").defaultValue = "Untitled Hero"
        draft.attribute("Hero.name").isOptional = false
        draft.relationships("Hero.powers*", "Power.hero", .cascadeDeleteRule)
        draft.relationships("Hero.teams*", "Team.members*")
        draft.relationships("Hero.nemesis", "Hero.hunter")
        draft.relationships("Hero.students*", "Hero.mentor")
        draft.relationships("Base.teams*", "Team.base", .denyDeleteRule)
        draft.relationships("Node.next", "Node.previous", .cascadeDeleteRule)
        draft.relationship("Note.subject", to: "Hero")
        draft.relationship("Note.readers*", to: "Hero")
        return draft.model
    }

    static func stack() throws -> Stack { try Stack(make()) }
}

final class Hero: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("name", \Hero.name), .stored("strength", \Hero.strength), .stored("birthDate", \Hero.birthDate),
        .stored("powers", \Hero.powers), .stored("nemesis", \Hero.nemesis),
        .custom(
            "secretIdentity", \Hero.secretIdentity, get: { ($0 as? Hero)?.secretIdentity },
            set: { ($0 as? Hero)?.secretIdentity = $1 as? String }),
        .custom("title", \Hero.title, get: { ($0 as? Hero)?.title }),
    ])

    var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var strength: Int16 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var birthDate: Date? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var powers: Set<Power> {
        get { toMany(3) }
        set { setToMany(3, newValue) }
    }
    var nemesis: Hero? {
        get { toOne(4) }
        set { setToOne(4, newValue) }
    }
    /// Kept in upper case: an accessor of the class's own.
    var secretIdentity: String? {
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
    var title: String { "\(name ?? "") (\(secretIdentity ?? "?"))" }

    /// What was called on the object, in order.
    var log: [String] = []
    override func awakeFromInsert() { log.append("insert") }
    override func awakeFromFetch() { log.append("fetch") }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { log.append("snapshot \(flags.rawValue)") }
    override func prepareForDeletion() { log.append("delete") }
    override func willSave() { log.append("willSave") }
    override func didSave() { log.append("didSave") }
    override func willTurnIntoFault() { log.append("willTurnIntoFault") }
    override func didTurnIntoFault() { log.append("didTurnIntoFault") }
}

final class Power: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("name", \Power.name), .stored("level", \Power.level), .stored("hero", \Power.hero),
    ])

    var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var level: Int32 {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var hero: Hero? {
        get { toOne(2) }
        set { setToOne(2, newValue) }
    }
}
