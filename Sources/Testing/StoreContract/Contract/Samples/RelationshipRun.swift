import CoreDataGraph
import Testing

/// Owners and members with one relationship shape in a store, and a simple model of which should be related.
final class RelationshipRun {
    static let owners = ["A", "B", "C"]
    static let members = ["x", "y", "z"]

    let shape: RelationshipShape
    private(set) var stack: Stack
    private var forward: [String: [String]] = [:]
    private var backward: [String: [String]] = [:]
    private var deleted: Set<String> = []

    init(_ store: ContractStore, _ shape: RelationshipShape) throws {
        self.shape = shape
        stack = try store.open(shape.model())
        for name in Self.owners { stack.context.insert("Owner", ["name": name]) }
        for name in Self.members { stack.context.insert(shape.member, ["name": name]) }
    }

    // MARK: Doing

    /// Sets an owner's members; of a to-one relationship only the first.
    func set(_ owner: String, _ members: [String]) throws {
        let members = shape.isToMany ? members : Array(members.prefix(1))
        if shape.isExclusive { try release(members, except: owner) }
        for member in forward[owner, default: []] where !members.contains(member) {
            backward[member]?.removeAll { $0 == owner }
        }
        forward[owner] = members
        for member in members where !backward[member, default: []].contains(owner) {
            if !shape.inverseIsToMany { detach(&forward, from: backward[member, default: []], member) }
            backward[member] = shape.inverseIsToMany ? backward[member, default: []] + [owner] : [owner]
        }
        try assign(members, to: object(owner), shape.key, isToMany: shape.isToMany, isOrdered: shape.isOrdered)
    }

    /// Removes members from all owners but one.
    private func release(_ members: [String], except owner: String) throws {
        for (other, theirs) in forward where other != owner && !Set(theirs).isDisjoint(with: members) {
            try set(other, theirs.filter { !members.contains($0) })
        }
    }

    /// Sets a member's owners; of a to-one relationship only the first.
    func setInverse(_ member: String, _ owners: [String]) throws {
        guard let key = shape.inverseKey else { return }
        let owners = shape.inverseIsToMany ? owners : Array(owners.prefix(1))
        for owner in backward[member, default: []] where !owners.contains(owner) {
            forward[owner]?.removeAll { $0 == member }
        }
        backward[member] = owners
        for owner in owners where !forward[owner, default: []].contains(member) {
            if !shape.isToMany { detach(&backward, from: forward[owner, default: []], owner) }
            forward[owner] = shape.isToMany ? forward[owner, default: []] + [member] : [member]
        }
        try assign(
            owners, to: object(member), key, isToMany: shape.inverseIsToMany, isOrdered: shape.inverseIsOrdered)
    }

    func delete(_ name: String) throws {
        deleted.insert(name)
        forward[name] = nil
        backward[name] = nil
        for key in forward.keys { forward[key]?.removeAll { $0 == name } }
        for key in backward.keys { backward[key]?.removeAll { $0 == name } }
        stack.context.delete(try object(name))
        stack.context.processPendingChanges()
    }

    func save() throws { try stack.context.save() }

    func reopen() throws { stack = try stack.reopened() }

    private func detach(_ side: inout [String: [String]], from names: [String], _ name: String) {
        for other in names { side[other]?.removeAll { $0 == name } }
    }

    private func assign(
        _ names: [String], to object: NSManagedObject, _ key: String, isToMany: Bool, isOrdered: Bool
    ) throws {
        let targets = try names.map(self.object)
        if !isToMany { return object.setValue(targets.first, forKey: key) }
        object.setValue(isOrdered ? NSOrderedSet(array: targets) : NSSet(array: targets), forKey: key)
    }

    // MARK: Looking

    func object(_ name: String) throws -> NSManagedObject {
        try stack.context.named(name, entity(name))
    }

    /// The objects of the entities on both sides, keyed by name, with one fetch for each entity.
    private func objects() throws -> [String: NSManagedObject] {
        var objects: [String: NSManagedObject] = [:]
        for entity in Set((Self.owners + Self.members).map(entity)) {
            for object in try stack.context.all(entity) {
                guard objects.updateValue(object, forKey: object.nameValue ?? "") == nil else {
                    throw ContractFailure.notOne(entity, 2)
                }
            }
        }
        return objects
    }

    private func entity(_ name: String) -> String {
        let isOfOwnEntity = shape.member != "Target" && shape.member != "SubTarget"
        return isOfOwnEntity || Self.owners.contains(name) ? "Owner" : "Target"
    }

    /// Expects both sides of all relationships in this context to be as recorded.
    func expectBothSides(_ when: String, _ location: SourceLocation = #_sourceLocation) throws {
        let objects = try objects()
        for name in Self.owners where !deleted.contains(name) {
            try expect(
                objects, name, key: shape.key, expected: forward[name, default: []], isOrdered: shape.isOrdered,
                when: when,
                location: location)
        }
        guard let key = shape.inverseKey else { return }
        for name in Self.members where !deleted.contains(name) {
            try expect(
                objects, name, key: key, expected: backward[name, default: []], isOrdered: shape.inverseIsOrdered,
                when: when,
                location: location)
        }
    }

    /// Expects both sides to be as recorded before the save, after it, and after the store is reopened.
    func expectEverywhere(_ what: String, _ location: SourceLocation = #_sourceLocation) throws {
        try expectBothSides("\(what), before the save", location)
        try save()
        try expectBothSides("\(what), after the save", location)
        try reopen()
        try expectBothSides("\(what), after reopening", location)
    }

    private func expect(
        _ objects: [String: NSManagedObject], _ name: String, key: String, expected: [String], isOrdered: Bool,
        when: String,
        location: SourceLocation
    ) throws {
        guard let object = objects[name] else { throw ContractFailure.notOne(entity(name), 0) }
        let related = object.related(key)
        let names = related.map { $0.nameValue ?? "nil" }
        let (read, wanted) = isOrdered ? (names, expected) : (names.sorted(), expected.sorted())
        #expect(read == wanted, "\(key) of \(name), \(when)", sourceLocation: location)
        let entities = Set(related.map { $0.entity.name ?? "" })
        let allowed: Set<String> = [shape.member, "Owner"]
        #expect(entities.isSubset(of: allowed), "the entities of \(key) of \(name)", sourceLocation: location)
    }
}
