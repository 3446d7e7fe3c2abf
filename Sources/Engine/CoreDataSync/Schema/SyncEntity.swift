/// An attribute as sync sees it.
package struct SyncAttribute: Hashable, Sendable {
    package let id: SchemaID
    package let name: String
    package let rule: MergeRule
    /// The value of objects whose creator did not know the attribute.
    package let defaultValue: SyncValue

    package init(_ name: String, id: SchemaID, rule: MergeRule = .lastWriter, defaultValue: SyncValue = .null) {
        self.name = name
        self.id = id
        self.rule = rule
        self.defaultValue = defaultValue
    }
}

/// Attributes whose values together no two objects may share.
package struct UniqueConstraint: Hashable, Sendable {
    /// The same on all peers: made of the entity that declares it and its attributes.
    package let id: SchemaID
    package let attributes: [SchemaID]

    package init(id: SchemaID, attributes: [SchemaID]) {
        self.id = id
        self.attributes = attributes
    }
}

/// An entity with what it has from its superentities.
package struct SyncEntity: Sendable {
    package let id: SchemaID
    package let name: String
    package let attributes: [SyncAttribute]
    package let constraints: [UniqueConstraint]
    package let deletion: DeletionRule
    /// The relationships whose source an object of the entity may be.
    package internal(set) var outgoing: [SyncRelationship] = []
    /// The relationships whose target an object of the entity may be.
    package internal(set) var incoming: [SyncRelationship] = []
    /// Sets of attributes that constraints share: the values of a set always come from one object.
    let keyUnits: [Set<SchemaID>]
    private let attributesByName: [String: Int]
    private let attributesByID: [SchemaID: Int]

    package init(
        _ name: String, id: SchemaID, attributes: [SyncAttribute], constraints: [UniqueConstraint] = [],
        deletion: DeletionRule = .deletionWins
    ) {
        self.name = name
        self.id = id
        self.attributes = attributes
        self.constraints = constraints
        self.deletion = deletion
        var units: [Set<SchemaID>] = []
        for constraint in constraints {
            let shared = units.filter { !$0.isDisjoint(with: constraint.attributes) }
            units.removeAll { shared.contains($0) }
            units.append(shared.reduce(Set(constraint.attributes)) { $0.union($1) })
        }
        keyUnits = units
        attributesByName = Dictionary(
            attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        attributesByID = Dictionary(
            attributes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func attribute(named name: String) -> SyncAttribute? { attributesByName[name].map { attributes[$0] } }

    package func attribute(_ id: SchemaID) -> SyncAttribute? { attributesByID[id].map { attributes[$0] } }
}
