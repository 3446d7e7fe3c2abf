import CoreDataGraph

/// Counts and hash sums of the objects, values and links of a store. Two states of the store are compared by their
/// digests, so that no values have to stay in memory.
package struct StoreDigest {
    /// Whether a store is read before or after its migration.
    package enum Side: Sendable {
        case before
        case after
    }

    /// The number and the sum of the hashes of the values of an attribute, or of the links of a relationship.
    struct Sum: Equatable {
        var count = 0
        var hash: UInt64 = 0
    }

    /// The number of objects in memory at a time.
    private static let pageSize = 500

    /// The number of objects of each entity, by the entity's name in the model of this side.
    private(set) var objects: [String: Int] = [:]
    /// The sum of each property; a key is `entity.property` with the names of the new model.
    private(set) var sums: [String: Sum] = [:]

    /// Reads all objects of a context, page by page; resets the context after each page.
    ///
    /// - Throws: what fetching throws.
    package init(_ context: NSManagedObjectContext, counterparts: MigrationCounterparts, side: Side) throws {
        let dropped = Set(counterparts.dropped)
        let keepsKeys = counterparts.keeping == .keysAndValues
        for entity in counterparts.entities {
            let name = side == .before ? entity.old : entity.new
            try Self.forEach(name, in: context, prefetching: Self.names(entity.relationships, side)) { object in
                objects[name, default: 0] += 1
                let key = object.objectID.key
                for attribute in entity.attributes {
                    add(object, attribute: attribute, side: side, key: keepsKeys ? key : 0, entity: entity.new)
                }
                for relationship in entity.relationships {
                    add(
                        object, relationship: relationship, side: side, keepsKeys: keepsKeys, entity: entity.new,
                        without: dropped)
                }
            }
            objects[name] = objects[name] ?? 0
        }
        for name in side == .before ? counterparts.dropped : counterparts.added {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            objects[name] = try context.count(for: request)
        }
    }

    /// The sum of a property, by the new names of it and its entity.
    func sum(_ entity: String, _ property: String) -> Sum { sums["\(entity).\(property)"] ?? Sum() }

    // MARK: Adding up

    private mutating func add(
        _ object: NSManagedObject, attribute: MigrationCounterparts.Attribute, side: Side, key: Int64,
        entity: String
    ) {
        guard let place = attribute.place(side) else { return }
        let whole = object.value(forKey: place.key)
        var value = Self.element(place.elements, of: whole)
        if side == .before {
            value = value.map { attribute.conversion?.converted($0) ?? $0 } ?? Self.fallback(of: attribute, whole)
        }
        guard let value else { return }
        let hash = attribute.comparesValues ? ValueHash.of(value, attribute.type) : 0
        sums["\(entity).\(attribute.digestName)", default: Sum()].add(
            ValueHash.of(key, Int64(bitPattern: hash)))
    }

    private static func element(_ path: some Collection<String>, of value: Any?) -> Any? {
        let element = path.reduce(value) { ($0 as? [String: Any])?[$1] }
        return element is NSNull ? nil : element
    }

    /// The value that the migration sets for a nil value; nil if `Attribute.siblings` states a condition that does not
    /// hold.
    private static func fallback(of attribute: MigrationCounterparts.Attribute, _ whole: Any?) -> Any? {
        guard let siblings = attribute.siblings else { return attribute.fallback }
        let isThere =
            siblings.isEmpty
            ? whole != nil
            : siblings.contains { element($0.split(separator: ".").dropFirst().map(String.init), of: whole) != nil }
        return isThere ? attribute.fallback : nil
    }

    private mutating func add(
        _ object: NSManagedObject, relationship: MigrationCounterparts.Relationship, side: Side,
        keepsKeys: Bool, entity: String, without dropped: Set<String>
    ) {
        let name = side == .before ? relationship.old : relationship.new
        let isToMany = side == .before ? relationship.isToMany.old : relationship.isToMany.new
        let members: [NSManagedObject]
        if !isToMany {
            members = [object.value(forKey: name) as? NSManagedObject].compactMap(\.self)
        } else if let ordered = object.value(forKey: name) as? NSOrderedSet {
            members = ordered.array.compactMap { $0 as? NSManagedObject }
        } else {
            members = Array(object.value(forKey: name) as? Set<NSManagedObject> ?? [])
        }
        let path = "\(entity).\(relationship.new)"
        var place: Int64 = 0
        for member in members where side == .after || !dropped.contains(member.entity.name ?? "") {
            if relationship.isOrdered { place += 1 }
            sums[path, default: Sum()].add(
                keepsKeys ? ValueHash.of(object.objectID.key, member.objectID.key, place) : 0)
        }
    }

    // MARK: Reading

    private static func names(_ relationships: [MigrationCounterparts.Relationship], _ side: Side) -> [String] {
        relationships.map { side == .before ? $0.old : $0.new }
    }

    /// Calls `body` with each object of an entity, without subentities; fetches pages of `pageSize` objects and resets
    /// the context after each page.
    static func forEach(
        _ entity: String, in context: NSManagedObjectContext, prefetching names: [String],
        _ body: (NSManagedObject) throws -> Void
    ) throws {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        request.includesPropertyValues = false
        let identifiers = try context.fetch(request)
        for start in stride(from: 0, to: identifiers.count, by: pageSize) {
            let page = NSFetchRequest<NSManagedObject>(entityName: entity)
            page.predicate = NSPredicate(
                format: "SELF IN %@", Array(identifiers[start..<min(start + pageSize, identifiers.count)]))
            page.returnsObjectsAsFaults = false
            page.relationshipKeyPathsForPrefetching = names
            for object in try context.fetch(page) { try body(object) }
            context.reset()
        }
    }
}

extension StoreDigest.Sum {
    fileprivate mutating func add(_ hash: UInt64) {
        count += 1
        self.hash &+= hash
    }
}
