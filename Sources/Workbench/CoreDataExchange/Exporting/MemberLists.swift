import CoreData

/// The members of to-many relationships of some rows, read with one query for each relationship.
struct MemberLists {
    /// A member, identified by the number of its entity's layout and its primary key.
    struct Member: Hashable {
        let entity: Int
        let key: Int64
    }

    private var lists: [String: [Int64: [Member]]] = [:]

    /// Reads the members of the rows with some keys; each is in the list once.
    init(
        _ relationships: [NSRelationshipDescription], keys: [Int64], in store: NSPersistentStore, of model: ModelLayout
    ) throws {
        guard let objects = store.objects else { return }
        for relationship in relationships {
            guard let owner = relationship.entity.flatMap(model.layout(of:)) else { continue }
            let found = try store.serialized {
                try objects.members(of: relationship, owner: store.binding(for: owner), keys: keys)
            }
            lists[relationship.name] = Self.lists(found, relationship: relationship, model: model)
        }
    }

    /// The members of one row: in the order of an ordered relationship, else by entity and key.
    func members(_ relationship: String, of owner: Int64) -> [Member] { lists[relationship]?[owner] ?? [] }

    private static func lists(
        _ found: MemberRows, relationship: NSRelationshipDescription, model: ModelLayout
    ) -> [Int64: [Member]] {
        var entities: [Int64: Int] = [:]
        for run in found.rows {
            for index in run.range { entities[run.slab.key(index)] = run.slab.layout.number }
        }
        var lists: [Int64: [Member]] = [:]
        for pair in found.pairs {
            guard let entity = entities[pair.member] else { continue }
            lists[pair.owner, default: []].append(Member(entity: entity, key: pair.member))
        }
        let names = model.entities.map { $0.entity.name ?? "" }
        return lists.mapValues { members in
            var known: Set<Member> = []
            let single = members.filter { known.insert($0).inserted }
            if relationship.isOrdered { return single }
            return single.sorted { (names[$0.entity], $0.key) < (names[$1.entity], $1.key) }
        }
    }
}
