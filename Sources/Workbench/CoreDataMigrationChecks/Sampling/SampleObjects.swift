import CoreDataGraph

/// Fills a context with objects of all entities of its model that obey the model's rules.
///
/// The numbers of members of relationships and the uniqueness constraints are respected. Objects that still break a
/// rule, such as one with a required relationship to an entity without objects, are deleted again.
package struct SampleObjects {
    /// The most passes that delete invalid objects; deleting an object may make others invalid.
    private static let repairs = 20
    /// The most members of a to-many relationship without a maximum count, unless its minimum count is greater.
    private static let mostMembers = 4

    private let context: NSManagedObjectContext
    private let entities: [NSEntityDescription]
    private var random: SampleRandom
    private var objects: [NSManagedObject] = []
    private var taken: Set<[String]> = []

    private init(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel, seed: UInt64) {
        self.context = context
        entities = NSManagedObjectModel.numbered(model.entities).filter { !$0.isAbstract }
        random = SampleRandom(seed: seed)
    }

    /// Inserts about `count` objects, at least two of each entity, deletes the invalid ones, and does not save. Returns
    /// the number of objects that remain.
    ///
    /// Equal seeds give equal objects.
    package static func fill(
        _ context: NSManagedObjectContext, of model: NSManagedObjectModel, objects count: Int, seed: UInt64
    ) -> Int {
        var sample = SampleObjects(context, model, seed: seed)
        sample.insert(max(2, count / max(1, sample.entities.count)))
        sample.relate()
        return sample.removeInvalid()
    }

    // MARK: Attributes

    private mutating func insert(_ count: Int) {
        for entity in entities {
            let attributes = entity.attributesByName.values.filter {
                $0.isStored && !($0 is NSDerivedAttributeDescription)
            }.sorted { $0.name < $1.name }
            let values = attributes.map { ($0, SampleValues($0)) }
            let constraints = entity.lineage.flatMap(\.uniquenessConstraintNames)
            let unique = Set(constraints.joined().compactMap { PropertyPath($0, in: entity)?.property.name })
            for number in 0..<count {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
                for (attribute, values) in values {
                    let isUnique = unique.contains(attribute.name)
                    if attribute.isOptional, !isUnique, random.next(below: 6) == 0 { continue }
                    let value =
                        isUnique ? values.distinctValue(number, &random) : values.value(number, &random)
                    if value != nil || attribute.isOptional { object.setValue(value, forKey: attribute.name) }
                }
                if claims(object, constraints) { objects.append(object) } else { context.delete(object) }
            }
        }
    }

    /// Returns whether the object's values satisfy the uniqueness constraints; if so, records the values as taken.
    private mutating func claims(_ object: NSManagedObject, _ constraints: [[String]]) -> Bool {
        let keys = constraints.compactMap { names -> [String]? in
            let values = names.map { name -> Any? in
                let path = PropertyPath(name, in: object.entity)
                return path?.end is NSAttributeDescription ? object.value(forKeyPath: name) : nil
            }
            guard values.allSatisfy({ $0 != nil }) else { return nil }
            return [object.entity.rootEntity.name ?? ""] + names + values.map { ValueHash.text(of: $0) }
        }
        guard keys.allSatisfy({ !taken.contains($0) }) else { return false }
        taken.formUnion(keys)
        return true
    }

    // MARK: Relationships

    private mutating func relate() {
        var families: [String: [NSManagedObject]] = [:]
        for object in objects {
            for entity in object.entity.lineage { families[entity.name ?? "", default: []].append(object) }
        }
        for object in objects {
            for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
            where relationship.isStored {
                guard let members = families[relationship.destinationEntity?.name ?? ""] else { continue }
                if relationship.isToMany {
                    fill(object, relationship: relationship, members: members)
                } else if object.value(forKey: relationship.name) == nil {
                    if relationship.isOptional, random.next(below: 4) == 0 { continue }
                    if let member = pick(members, for: relationship) {
                        object.setValue(member, forKey: relationship.name)
                    }
                }
            }
        }
    }

    private mutating func fill(
        _ object: NSManagedObject, relationship: NSRelationshipDescription, members: [NSManagedObject]
    ) {
        let least = relationship.isOptional ? 0 : max(1, relationship.minCount)
        let most = relationship.maxCount == 0 ? max(least, Self.mostMembers) : relationship.maxCount
        let wanted = max(relationship.minCount, least + random.next(below: max(1, most - least + 1)))
        var present = count(object, relationship)
        for _ in 0..<(wanted * 2) where present < wanted {
            guard let member = pick(members, for: relationship) else { return }
            if relationship.isOrdered {
                object.mutableOrderedSetValue(forKey: relationship.name).add(member)
            } else {
                object.mutableSetValue(forKey: relationship.name).add(member)
            }
            present = count(object, relationship)
        }
    }

    /// Picks a random member whose inverse relationship has room for one more object; nil after ten failed attempts.
    private mutating func pick(
        _ members: [NSManagedObject], for relationship: NSRelationshipDescription
    ) -> NSManagedObject? {
        for _ in 0..<10 {
            let member = members[random.next(below: members.count)]
            guard let inverse = relationship.inverseRelationship else { return member }
            if inverse.isToMany {
                if inverse.maxCount == 0 || count(member, inverse) < inverse.maxCount { return member }
            } else if member.value(forKey: inverse.name) == nil {
                return member
            }
        }
        return nil
    }

    private func count(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> Int {
        relationship.isOrdered
            ? object.mutableOrderedSetValue(forKey: relationship.name).count
            : object.mutableSetValue(forKey: relationship.name).count
    }

    // MARK: What remains

    private mutating func removeInvalid() -> Int {
        for _ in 0..<Self.repairs {
            context.processPendingChanges()
            objects.removeAll(where: \.isDeleted)
            let invalid = objects.filter { object in
                do {
                    try object.validateForInsert()
                    return false
                } catch {
                    return true
                }
            }
            guard !invalid.isEmpty else { break }
            for object in invalid { context.delete(object) }
        }
        return objects.count { !$0.isDeleted }
    }
}
