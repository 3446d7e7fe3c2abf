import CoreDataGraph

/// A relationship between `Owner` and `Target`, or of `Owner` with itself, and how its two sides look.
struct RelationshipShape: Sendable {
    /// The relationship's name in the names of checks, after the identifiers of the catalog's rows.
    let name: String
    /// The relationship, as `ModelBuilder` reads it: `Owner.targets*!` is an ordered to-many one.
    let path: String
    /// Its inverse; nil for none.
    let inverse: String?
    /// The entity of the objects on the other side.
    var member = "Target"
    /// Whether `Target` is abstract, so that only its sub-entities have objects.
    var isAbstract = false

    var key: String { Self.property(path) }
    var inverseKey: String? { inverse.map(Self.property) }
    var isToMany: Bool { path.contains("*") }
    var isOrdered: Bool { path.contains("!") }
    var inverseIsToMany: Bool { inverse?.contains("*") ?? true }
    var inverseIsOrdered: Bool { inverse?.contains("!") ?? false }

    /// Whether a member can have one owner only although no inverse says so: a to-many relationship without an inverse.
    var isExclusive: Bool { inverse == nil && isToMany }

    private static func property(_ path: String) -> String {
        String(path.split(separator: ".")[1].filter { $0 != "*" && $0 != "!" })
    }

    /// The model with the relationship.
    func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Owner", ["name": .stringAttributeType])
        builder.entity("SubOwner", in: "Owner", ["extra": .stringAttributeType])
        builder.entity("Target", ["name": .stringAttributeType]).isAbstract = isAbstract
        builder.entity("SubTarget", in: "Target", ["extra": .stringAttributeType])
        if inverse == path {
            builder.reflexive(path)
        } else if let inverse {
            builder.relationships(path, inverse)
        } else {
            builder.relationship(path, to: "Target")
        }
        return builder.model
    }

    /// The shapes with unordered relationships.
    static let plain = [
        RelationshipShape(name: "REL-01, REL-06: one to one", path: "Owner.target", inverse: "Target.owner"),
        RelationshipShape(name: "REL-02, REL-05: one to many", path: "Owner.targets*", inverse: "Target.owner"),
        RelationshipShape(name: "REL-01: many to one", path: "Owner.target", inverse: "Target.owners*"),
        RelationshipShape(name: "REL-07: many to many", path: "Owner.targets*", inverse: "Target.owners*"),
        RelationshipShape(
            name: "REL-08: one to one of its own entity", path: "Owner.next", inverse: "Owner.former", member: "Owner"),
        RelationshipShape(
            name: "REL-08: one to many of its own entity", path: "Owner.children*", inverse: "Owner.parent",
            member: "Owner"),
        RelationshipShape(
            name: "REL-08: many to many of its own entity", path: "Owner.likes*", inverse: "Owner.likedBy*",
            member: "Owner"),
        RelationshipShape(
            name: "REL-08: one to one, its own inverse", path: "Owner.spouse", inverse: "Owner.spouse", member: "Owner"),
        RelationshipShape(
            name: "REL-08: many to many, its own inverse", path: "Owner.friends*", inverse: "Owner.friends*",
            member: "Owner"),
        RelationshipShape(
            name: "REL-08: many to many, its own inverse, with sub-entities", path: "Owner.friends*",
            inverse: "Owner.friends*", member: "SubOwner"),
        RelationshipShape(
            name: "REL-08: one to many of its own entity with sub-entities", path: "Owner.children*",
            inverse: "Owner.parent", member: "SubOwner"),
        RelationshipShape(
            name: "REL-09: one to one with sub-entities", path: "Owner.target", inverse: "Target.owner",
            member: "SubTarget"),
        RelationshipShape(
            name: "REL-09: one to many of an abstract parent", path: "Owner.targets*", inverse: "Target.owner",
            member: "SubTarget", isAbstract: true),
        RelationshipShape(
            name: "REL-09: many to many of an abstract parent", path: "Owner.targets*", inverse: "Target.owners*",
            member: "SubTarget", isAbstract: true),
        RelationshipShape(
            name: "REL-09: many to one of an abstract parent", path: "Owner.target", inverse: "Target.owners*",
            member: "SubTarget", isAbstract: true),
        RelationshipShape(name: "REL-12: to one without an inverse", path: "Owner.target", inverse: nil),
        RelationshipShape(
            name: "REL-12: to one of an abstract parent without an inverse", path: "Owner.target", inverse: nil,
            member: "SubTarget", isAbstract: true),
        RelationshipShape(name: "REL-12: to many without an inverse", path: "Owner.targets*", inverse: nil),
    ]

    /// The shapes that are ordered on one side or both.
    static let ordered = [
        RelationshipShape(name: "REL-10: ordered, one to many", path: "Owner.targets*!", inverse: "Target.owner"),
        RelationshipShape(name: "REL-10: ordered, many to many", path: "Owner.targets*!", inverse: "Target.owners*"),
        RelationshipShape(
            name: "REL-10: many to many, ordered on the other side", path: "Owner.targets*", inverse: "Target.owners*!"),
        RelationshipShape(
            name: "REL-10: many to many, ordered on both sides", path: "Owner.targets*!", inverse: "Target.owners*!"),
        RelationshipShape(
            name: "REL-10: ordered, one to many of its own entity", path: "Owner.children*!", inverse: "Owner.parent",
            member: "Owner"),
        RelationshipShape(
            name: "REL-10: ordered, one to many of an abstract parent", path: "Owner.targets*!",
            inverse: "Target.owner", member: "SubTarget", isAbstract: true),
        RelationshipShape(name: "REL-10: ordered, to many without an inverse", path: "Owner.targets*!", inverse: nil),
    ]
}
