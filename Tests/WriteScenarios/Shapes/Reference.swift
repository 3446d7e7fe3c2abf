import CoreData

/// The naive reference: every object a dictionary of texts and numbers, every relationship kept from both sides.
package struct Reference {
    /// An object, its attributes as texts, its relationships as the numbers of their members.
    package struct Record {
        package let entity: String
        package var attributes: [String: String] = [:]
        package var members: [String: [Int]] = [:]
    }

    package private(set) var records: [Int: Record] = [:]
    private let entities: [String: NSEntityDescription]

    package init(_ model: NSManagedObjectModel) { entities = model.entitiesByName }

    package func entity(_ number: Int) -> NSEntityDescription? { records[number].flatMap { entities[$0.entity] } }

    package func members(_ number: Int, _ relationship: String) -> [Int] {
        records[number]?.members[relationship] ?? []
    }

    /// The objects that a relationship of an object may lead to.
    package func candidates(for number: Int, _ relationship: NSRelationshipDescription) -> [Int] {
        guard let wanted = relationship.destinationEntity else { return [] }
        let candidates = records.keys.filter { entity($0)?.isKindOf(entity: wanted) == true }.sorted()
        guard relationship.isToMany, relationship.inverseRelationship == nil else { return candidates }
        // A member's row has room for one owner that it knows nothing of.
        return candidates.filter { candidate in
            !records.contains { $0 != number && $1.members[relationship.name]?.contains(candidate) == true }
        }
    }

    // MARK: Changes

    package mutating func insert(_ number: Int, _ entity: String) {
        records[number] = Record(entity: entity, attributes: ["number": "\(number)"])
    }

    package mutating func set(_ number: Int, _ attribute: String, _ text: String?) {
        records[number]?.attributes[attribute] = text
    }

    /// Makes the given objects, in their order, those that a relationship leads to.
    package mutating func relate(_ number: Int, _ relationship: NSRelationshipDescription, _ targets: [Int]) {
        for former in members(number, relationship.name) where !targets.contains(former) {
            unlink(number, relationship, former)
        }
        for target in targets where !members(number, relationship.name).contains(target) {
            link(number, relationship, target)
        }
        if relationship.isOrdered { records[number]?.members[relationship.name] = targets }
    }

    /// Whether a relationship with the rule Deny still has members.
    package func isDenied(_ number: Int) -> Bool {
        entity(number)?.relationshipsByName.values.contains {
            $0.deleteRule == .denyDeleteRule && !members(number, $0.name).isEmpty
        } ?? false
    }

    package mutating func delete(_ number: Int) {
        guard let entity = entity(number) else { return }
        var doomed: [Int] = []
        for relationship in entity.relationshipsByName.values {
            for target in members(number, relationship.name) {
                if relationship.deleteRule == .cascadeDeleteRule { doomed.append(target) }
                unlink(number, relationship, target)
            }
        }
        records[number] = nil
        for target in doomed { delete(target) }
        // What leads here without an inverse leads nowhere.
        for other in records.keys {
            for (name, members) in records[other]?.members ?? [:] {
                records[other]?.members[name] = members.filter { $0 != number }
            }
        }
    }

    private mutating func link(_ number: Int, _ relationship: NSRelationshipDescription, _ target: Int) {
        makeRoom(number, relationship)
        if let inverse = relationship.inverseRelationship {
            makeRoom(target, inverse)
            add(number, to: target, inverse)
        }
        add(target, to: number, relationship)
    }

    /// Takes out what a to-one relationship leads to.
    private mutating func makeRoom(_ number: Int, _ relationship: NSRelationshipDescription) {
        guard !relationship.isToMany else { return }
        for held in members(number, relationship.name) { unlink(number, relationship, held) }
    }

    private mutating func unlink(_ number: Int, _ relationship: NSRelationshipDescription, _ target: Int) {
        records[number]?.members[relationship.name]?.removeAll { $0 == target }
        guard let inverse = relationship.inverseRelationship else { return }
        records[target]?.members[inverse.name]?.removeAll { $0 == number }
    }

    private mutating func add(_ member: Int, to number: Int, _ relationship: NSRelationshipDescription) {
        guard !members(number, relationship.name).contains(member) else { return }
        records[number]?.members[relationship.name, default: []].append(member)
    }

    // MARK: Text

    /// Everything as text, a line an object, in the form that `ShapesReader` reads from a context.
    package var lines: [String] {
        records.sorted { $0.key < $1.key }.compactMap { number, record in
            entities[record.entity].map { Self.line(record, $0) }
        }
    }

    static func line(_ record: Record, _ entity: NSEntityDescription) -> String {
        let attributes = record.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let members = record.members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { name, members in
            let isOrdered = entity.relationshipsByName[name]?.isOrdered == true
            return "\(name)=\(isOrdered ? members : members.sorted())"
        }
        return ([record.entity] + attributes + members).joined(separator: " ")
    }
}
