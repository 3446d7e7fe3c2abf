import CoreData
import Testing

/// Changes of every kind in the objects of a store that Apple's framework wrote, each step saved by its caller.
struct Edit {
    private let context: NSManagedObjectContext
    private let entities: [NSEntityDescription]
    private let open: OpenStore
    /// Two new objects of each entity.
    private var inserted: [NSManagedObject] = []
    private var seed = 0

    init(_ open: OpenStore) {
        self.open = open
        context = open.context
        entities = open.model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    // MARK: Steps

    /// Inserts two objects of each entity with every attribute and, where there is an object for it, every relationship.
    mutating func insert() {
        for entity in entities + entities { insert(entity) }
        var next = 0
        while next < inserted.count {
            for relationship in inserted[next].relationships { setRelationship(relationship, of: inserted[next]) }
            next += 1
        }
    }

    @discardableResult
    private mutating func insert(_ entity: NSEntityDescription) -> NSManagedObject {
        seed += 1
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
        Filling.fill(object, seed: seed)
        inserted.append(object)
        return object
    }

    /// Leads an empty relationship to a new object; one that asks for members has another one made.
    private mutating func setRelationship(_ relationship: NSRelationshipDescription, of object: NSManagedObject) {
        guard !relationship.isToMany || object.members(relationship.name).isEmpty,
            relationship.isToMany || object.value(forKey: relationship.name) == nil
        else { return }
        var target = freeTarget(of: relationship, for: object)
        if target == nil, relationship.minCount > 0, let wanted = relationship.destinationEntity {
            target = insert(wanted)
        }
        guard let target else { return }
        object.setValue(relationship.isToMany ? [target] as Any : target, forKey: relationship.name)
    }

    /// Gives one old object of each entity other values of all attributes.
    mutating func update() throws {
        for object in try oneOfEach() {
            seed += 1
            Filling.fill(object, seed: seed)
        }
    }

    /// Adds one of the new objects to each relationship of one old object of each entity.
    func relate() throws {
        for object in try oneOfEach() {
            for relationship in object.relationships {
                let target = inserted.last { isCandidate($0, relationship) && $0 !== object }
                guard let target, !object.members(relationship.name).contains(target) else { continue }
                let members = object.members(relationship.name) + [target]
                let list: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
                object.setValue(relationship.isToMany ? list : target, forKey: relationship.name)
            }
        }
    }

    /// Takes a member out of each to-many relationship, and the object out of each optional to-one relationship.
    func unrelate() throws {
        for object in try oneOfEach() {
            for relationship in object.relationships where isRemovable(relationship) {
                guard let last = object.members(relationship.name).last else { continue }
                let members = object.members(relationship.name).filter { $0 !== last }
                object.setValue(relationship.isToMany ? NSOrderedSet(array: members) : nil, forKey: relationship.name)
            }
        }
    }

    /// Moves the last of at least three members of an ordered relationship to the front; gives how many were moved.
    func move() throws -> Int {
        var moved = 0
        for entity in entities {
            for object in try open.fetch(entity.name ?? "", includesSubentities: false) {
                for relationship in object.relationships where relationship.isOrdered {
                    let members = object.members(relationship.name)
                    guard members.count > 2, let last = members.last else { continue }
                    object.setValue(NSOrderedSet(array: [last] + members.dropLast()), forKey: relationship.name)
                    moved += 1
                }
            }
        }
        return moved
    }

    /// Deletes an old object of an entity, the `number`-th from the end; false when there is none.
    func delete(_ entity: NSEntityDescription, _ number: Int) throws -> Bool {
        let objects = try open.fetch(entity.name ?? "", includesSubentities: false)
            .filter { object in !inserted.contains { $0 === object } }.sorted { $0.key > $1.key }
        guard number < objects.count else { return false }
        context.delete(objects[number])
        context.processPendingChanges()
        return true
    }

    // MARK: Objects

    /// The old object with the least key of each entity.
    private func oneOfEach() throws -> [NSManagedObject] {
        try entities.compactMap { entity in
            try open.fetch(entity.name ?? "", includesSubentities: false)
                .filter { object in !inserted.contains { $0 === object } }.min { $0.key < $1.key }
        }
    }

    private func isCandidate(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> Bool {
        relationship.destinationEntity.map { object.entity.isKindOf(entity: $0) } == true
    }

    /// A new object that a relationship may lead to without taking it away from another.
    private func freeTarget(
        of relationship: NSRelationshipDescription, for object: NSManagedObject
    ) -> NSManagedObject? {
        inserted.first { target in
            guard target !== object, isCandidate(target, relationship) else { return false }
            guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { return true }
            return target.value(forKey: inverse.name) == nil
        }
    }

    private func isRemovable(_ relationship: NSRelationshipDescription) -> Bool {
        guard relationship.isOptional, relationship.minCount < 2 else { return false }
        return relationship.inverseRelationship.map { $0.isOptional && $0.minCount < 2 } ?? true
    }
}

extension NSManagedObject {
    /// The relationships of the object's entity, in a fixed order.
    var relationships: [NSRelationshipDescription] {
        entity.relationshipsByName.sorted { $0.key < $1.key }.map(\.value)
    }
}
