import CoreDataStore

/// How the relationships of a model's entities are stored: which to-one slots are indexed, and which relationships have
/// tables of pairs.
///
/// Constant after its initialization. A relationship is identified by its description, which subentities share.
struct RelationPlan {
    /// Where the members of a to-many relationship are found.
    enum Source {
        /// In the index of the inverse, a to-one relationship of the members' rows.
        case index(Int)
        case links(Int, backwards: Bool)
    }

    /// The slot of a to-one relationship, and the number of the relationship's index.
    struct IndexedSlot {
        let slot: Int
        let index: Int
    }

    private(set) var indexes: [LinkLists] = []
    private(set) var links: [LinkTable] = []
    /// The indexed slots of each entity, by the number of the entity.
    private(set) var indexedSlots: [[IndexedSlot]] = []
    /// The tables of the relationships without an inverse, and the root entity of the members.
    private(set) var inverseless: [(links: Int, root: Int)] = []
    private var inverselessRelationships: [Int: NSRelationshipDescription] = [:]
    private(set) var sources: [ObjectIdentifier: Source] = [:]
    private var indexNumbers: [ObjectIdentifier: Int] = [:]

    /// - Parameter paths: to-one relationships that are indexed although their inverse is not to-many.
    init(model: ModelLayout, indexing paths: [NSRelationshipDescription]) {
        for layout in model.entities {
            for relationship in layout.toMany where sources[ObjectIdentifier(relationship)] == nil {
                add(relationship)
                guard relationship.inverseRelationship == nil,
                    case .links(let number, _) = sources[ObjectIdentifier(relationship)],
                    let members = relationship.destinationEntity.flatMap(model.layout(of:))
                else { continue }
                inverseless.append((number, members.root))
                inverselessRelationships[number] = relationship
            }
        }
        for relationship in paths { _ = index(of: relationship, isOrdered: false) }
        indexedSlots = model.entities.map { layout in
            layout.slots.indices.compactMap { slot in
                guard case .toOne(let relationship) = layout.slots[slot].content else { return nil }
                return indexNumbers[ObjectIdentifier(relationship)].map { IndexedSlot(slot: slot, index: $0) }
            }
        }
    }

    /// The relationship without an inverse that a table of pairs belongs to.
    func inverselessRelationship(_ links: Int) -> NSRelationshipDescription? { inverselessRelationships[links] }

    func source(of relationship: NSRelationshipDescription) -> Source? { sources[ObjectIdentifier(relationship)] }

    func index(of relationship: NSRelationshipDescription) -> Int? { indexNumbers[ObjectIdentifier(relationship)] }

    private mutating func add(_ relationship: NSRelationshipDescription) {
        guard !relationship.isTransient, relationship.destinationEntity != nil else { return }
        guard let inverse = relationship.inverseRelationship else {
            return add(relationship, nil, kind: .single)
        }
        guard !inverse.isTransient else { return }
        if inverse === relationship { return add(relationship, nil, kind: .reflexive) }
        if inverse.isToMany { return add(relationship, relationship.mutualInverse, kind: .many) }
        sources[ObjectIdentifier(relationship)] = .index(index(of: inverse, isOrdered: relationship.isOrdered))
    }

    private mutating func add(
        _ relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription?, kind: LinkTable.Kind
    ) {
        sources[ObjectIdentifier(relationship)] = .links(links.count, backwards: false)
        if let inverse { sources[ObjectIdentifier(inverse)] = .links(links.count, backwards: true) }
        links.append(
            LinkTable(kind: kind, isOrdered: relationship.isOrdered, isInverseOrdered: inverse?.isOrdered ?? false))
    }

    private mutating func index(of relationship: NSRelationshipDescription, isOrdered: Bool) -> Int {
        if let known = indexNumbers[ObjectIdentifier(relationship)] { return known }
        indexNumbers[ObjectIdentifier(relationship)] = indexes.count
        indexes.append(LinkLists(isOrdered: isOrdered))
        return indexes.count - 1
    }
}
