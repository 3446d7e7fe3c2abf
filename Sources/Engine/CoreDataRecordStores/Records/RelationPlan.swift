import CoreDataStore

/// How the relationships of a model's entities are kept: which rows' slots are indexed, and which have tables of pairs.
///
/// Constant once made. Relationships are known by their declaration, which sub-entities share.
struct RelationPlan {
    /// Where the members of a to-many relationship are found.
    enum Source {
        /// By the to-one relationship of the members' rows.
        case index(Int)
        case links(Int, backwards: Bool)
    }

    /// The slot of a row that holds a to-one relationship, and the number of its index.
    struct IndexedSlot {
        let slot: Int
        let index: Int
    }

    private(set) var indexes: [LinkLists] = []
    private(set) var links: [LinkTable] = []
    /// By the number of the entity.
    private(set) var indexedSlots: [[IndexedSlot]] = []
    /// The numbers of the tables of relationships without inverse, and the root entity of their members.
    private(set) var inverseless: [(links: Int, root: Int)] = []
    private var inverselessRelationships: [Int: NSRelationshipDescription] = [:]
    private(set) var sources: [ObjectIdentifier: Source] = [:]
    private var indexNumbers: [ObjectIdentifier: Int] = [:]

    /// `paths` are to-one relationships that are indexed though they are not the inverse of a to-many one.
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

    /// The relationship without inverse whose pairs a table has.
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
