import CoreData
import CoreDataMigrationChecks

/// Fills what is missing in new objects: required attributes, and required relationships by further objects.
struct ObjectBuilder {
    /// The most objects that one object may require.
    private static let mostObjects = 500

    private let context: NSManagedObjectContext
    private let nextNumber: () -> Int
    private var objects: [NSManagedObject] = []
    /// The first of `objects` that is not complete.
    private var next = 0

    init(_ context: NSManagedObjectContext, _ nextNumber: @escaping () -> Int) {
        (self.context, self.nextNumber) = (context, nextNumber)
    }

    /// Adds a new object to those that are completed.
    mutating func note(_ object: NSManagedObject) { objects.append(object) }

    /// Completes the objects, and those that they require.
    ///
    /// - Throws: `TestingError` with `notBuilt`.
    mutating func complete() throws {
        while next < objects.count {
            let object = objects[next]
            next += 1
            fillAttributes(of: object)
            try fillRelationships(of: object)
        }
        for object in objects {
            do {
                try object.validateForInsert()
            } catch {
                throw TestingError(.notBuilt, Self.message(object, error as NSError))
            }
        }
    }

    /// Deletes what was inserted.
    func takeBack() {
        for object in objects where !object.isDeleted { context.delete(object) }
        context.processPendingChanges()
    }

    private static func message(_ object: NSManagedObject, _ error: NSError) -> String {
        let errors = (error.userInfo[NSDetailedErrorsKey] as? [NSError]) ?? [error]
        let reasons = errors.map { error in
            let key = (error.userInfo[NSValidationKeyErrorKey] as? String).map { "\($0): " } ?? ""
            let reason = error.localizedDescription
            return key + (reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
        }
        return "\(object.entity.name ?? "The object") cannot be filled so that it is valid: "
            + "\(reasons.joined(separator: "; ")). Set a valid value in the block."
    }

    // MARK: Attributes

    private func fillAttributes(of object: NSManagedObject) {
        let unique = Set(
            Self.lineage(of: object.entity).flatMap { $0.uniquenessConstraints.joined().compactMap { $0 as? String } })
        let number = nextNumber()
        for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key }) {
            guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { continue }
            // A default of a unique attribute would be the same in all objects.
            let isDefaultOfAll =
                unique.contains(name) && attribute.defaultValue != nil
                && (object.value(forKey: name) as? NSObject) == (attribute.defaultValue as? NSObject)
            let isMissing = !attribute.isOptional && object.value(forKey: name) == nil
            guard isMissing || isDefaultOfAll else { continue }
            if let value = SampleAttribute.value(of: attribute, number: number) {
                object.setValue(value, forKey: name)
            }
        }
    }

    private static func lineage(of entity: NSEntityDescription) -> [NSEntityDescription] {
        Array(sequence(first: entity, next: \.superentity))
    }

    // MARK: Relationships

    private mutating func fillRelationships(of object: NSManagedObject) throws {
        for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
        where !relationship.isTransient {
            let least = relationship.isOptional ? 0 : max(1, relationship.minCount)
            if !relationship.isToMany {
                guard least > 0, object.value(forKey: name) == nil else { continue }
                object.setValue(try insertDestination(of: relationship, for: object), forKey: name)
                continue
            }
            // An optional relationship may be empty, but not have fewer members than its minimum.
            let present = Self.count(object, relationship)
            let wanted = relationship.isOptional && present == 0 ? 0 : max(least, relationship.minCount)
            for _ in 0..<max(0, wanted - present) {
                let member = try insertDestination(of: relationship, for: object)
                if relationship.isOrdered {
                    object.mutableOrderedSetValue(forKey: name).add(member)
                } else {
                    object.mutableSetValue(forKey: name).add(member)
                }
            }
        }
        // So that the other ends are set before the destinations are completed.
        context.processPendingChanges()
    }

    private static func count(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> Int {
        relationship.isOrdered
            ? object.mutableOrderedSetValue(forKey: relationship.name).count
            : object.mutableSetValue(forKey: relationship.name).count
    }

    private mutating func insertDestination(
        of relationship: NSRelationshipDescription, for object: NSManagedObject
    ) throws -> NSManagedObject {
        let place = "\(object.entity.name ?? "").\(relationship.name)"
        guard objects.count < Self.mostObjects else {
            throw TestingError(
                .notBuilt,
                "\(place) requires objects that require others without end (\(Self.mostObjects) were made): set it in "
                    + "the block.")
        }
        guard let entity = relationship.destinationEntity.flatMap(Self.concrete), let name = entity.name else {
            throw TestingError(
                .notBuilt, "\(place) requires an object of an entity that is abstract: set it in the block.")
        }
        let made = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        objects.append(made)
        return made
    }

    /// The entity itself, or the first entity below it that is not abstract, by name.
    private static func concrete(_ entity: NSEntityDescription) -> NSEntityDescription? {
        guard entity.isAbstract else { return entity }
        var waiting = entity.subentities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        while !waiting.isEmpty {
            let first = waiting.removeFirst()
            if !first.isAbstract { return first }
            waiting += first.subentities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        }
        return nil
    }
}
