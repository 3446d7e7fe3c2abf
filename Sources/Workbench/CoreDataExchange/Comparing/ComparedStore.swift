import CoreData

/// Reads one of two compared stores: its rows, and their values in a form that is comparable between both stores.
final class ComparedStore {
    /// A row that has been read.
    struct Row {
        let slab: RowSlab
        let index: Int
    }

    /// The members of to-many relationships of some rows, by the entity and the relationship.
    private typealias Members = [Int: MemberLists]

    let store: OpenStore
    let side: ComparisonIndex.Side
    let model: ModelLayout
    private let objects: any ObjectStore
    private let index: ComparisonIndex
    /// Maps primary keys of this store to those of the origin, a store from which it was copied; nil without such a
    /// mapping.
    private let copied: (keys: CopiedKeys, origin: String)?
    private var rows: [ComparisonIndex.Place: Row] = [:]
    private var members: Members = [:]

    init(
        _ store: OpenStore, objects: any ObjectStore, side: ComparisonIndex.Side, index: ComparisonIndex,
        beside other: OpenStore
    ) {
        copied = Self.keys(store.facts, beside: other.facts)
        self.store = store
        self.objects = objects
        self.side = side
        self.index = index
        model = ModelLayout.of(store.coordinator.managedObjectModel)
    }

    /// Returns the key mapping of a copied store, and the origin to whose keys its own are mapped for the comparison.
    ///
    /// The origin is the other store, or the nearest store from which both were copied. Returns nil without such a
    /// store, and if the other store has the same identifier or was copied from this one.
    private static func keys(
        _ own: StoreFacts, beside other: StoreFacts
    ) -> (keys: CopiedKeys, origin: String)? {
        guard own.uuid != other.uuid, let keys = CopiedKeys(of: own.metadata) else { return nil }
        let others = [other.uuid].compactMap(\.self) + (CopiedKeys(of: other.metadata)?.origins ?? [])
        // The other store was copied from this one, and maps its keys to the keys of this store.
        guard !others.contains(where: { $0 == own.uuid }) else { return nil }
        return keys.origins.first(where: others.contains).map { (keys, $0) }
    }

    /// The name that identifies an object by its primary key, mapped to the key in the origin if there is one.
    private func name(_ key: Int64, _ layout: EntityLayout) -> String {
        guard let copied else { return "p\(key)" }
        let root = model.entities[layout.root].entity.name ?? ""
        let original = copied.keys.original(of: key, root: root, in: copied.origin)
        return original.map { "p\($0)" } ?? "\(side.rawValue) p\(key)"
    }

    /// Adds all objects of an entity, without subentities, to the index.
    func addObjects(
        of entity: NSEntityDescription, scope: Int, by attributes: [NSAttributeDescription], _ progress: (Int) -> Void
    ) throws {
        guard store.store.keeps(entity, of: model.model) else { return }
        let query = try store.storeQuery(ObjectQuery(entity), includesSubentities: false)
        let stream = try store.namingFile { try objects.rowStream(query) }
        while true {
            try ReadCancellation.check()
            let runs = try store.namingFile { try stream.next(250) }
            guard !runs.isEmpty else { return }
            progress(runs.reduce(0) { $0 + $1.range.count })
            for run in runs {
                for number in run.range {
                    let row = Row(slab: run.slab, index: number)
                    let key = run.slab.key(number)
                    let values = attributes.map { JSONWriter.line(attribute($0, of: row)) }
                    try index.add(
                        side, scope: scope,
                        value: values.isEmpty ? name(key, run.slab.layout) : values.joined(separator: " "),
                        .init(entity: run.slab.layout.number, key: key), root: run.slab.layout.root)
                }
            }
        }
    }

    /// Reads the rows at some places, and the members of their to-many relationships.
    func read(_ places: [ComparisonIndex.Place], _ relationships: (Int) -> [NSRelationshipDescription]) throws {
        rows = [:]
        members = [:]
        for (number, places) in Dictionary(grouping: places, by: \.entity) {
            let layout = model.entities[number]
            let keys = places.map(\.key)
            let runs = try store.namingFile { try objects.rows(of: store.store.binding(for: layout), keys: keys) }
            for run in runs {
                for index in run.range {
                    rows[.init(entity: number, key: run.slab.key(index))] = Row(slab: run.slab, index: index)
                }
            }
            let toMany = relationships(number).filter(\.isToMany)
            guard !toMany.isEmpty else { continue }
            members[number] = try store.namingFile { try MemberLists(toMany, keys: keys, in: store.store, of: model) }
        }
    }

    func row(at place: ComparisonIndex.Place) -> Row? { rows[place] }

    /// The address of an object, `Entity/p1`, without the store.
    func address(_ place: ComparisonIndex.Place) -> String {
        "\(model.entities[place.entity].entity.name ?? "")/p\(place.key)"
    }

    // MARK: Values

    /// The value of an attribute; null if it cannot be read.
    func attribute(_ attribute: NSAttributeDescription, of row: Row) -> JSONValue {
        guard case .attribute(let slot)? = row.slab.layout.places[attribute.name] else { return .null }
        let kind = AttributeKind(attribute)
        let value = try? SlotCoding.value(of: row.slab.storedValue(row.index, slot), kind, attribute, from: objects)
        return ValueCoding.json(value, kind)
    }

    /// Whether rows of two stores have the same bits of an attribute, so that nothing needs to be decoded.
    static func haveSameBits(_ name: String, one: Row, other: Row) -> Bool {
        guard case .attribute(let slot)? = one.slab.layout.places[name],
            case .attribute(let otherSlot)? = other.slab.layout.places[name],
            one.slab.layout.plainSlot(of: name) != nil
        else { return false }
        let tag = one.slab.tag(one.index, slot)
        guard tag == other.slab.tag(other.index, otherSlot) else { return false }
        switch tag {
        case RowTag.null: return true
        case RowTag.text:
            return one.slab.bytes(one.index, slot).elementsEqual(other.slab.bytes(other.index, otherSlot))
        case RowTag.blob: return false
        default: return one.slab.bits(one.index, slot) == other.slab.bits(other.index, otherSlot)
        }
    }

    /// The objects of a relationship: their names in the index, sorted unless the relationship is ordered, and
    /// addresses.
    func targets(
        of relationship: NSRelationshipDescription, at place: ComparisonIndex.Place, _ row: Row
    ) throws -> (names: [String], addresses: [String]) {
        let places: [ComparisonIndex.Place]
        if relationship.isToMany {
            let found = members[place.entity]?.members(relationship.name, of: place.key) ?? []
            places = found.map { .init(entity: $0.entity, key: $0.key) }
        } else {
            places = [target(of: relationship, row)].compactMap(\.self)
        }
        let names = try places.map { place in
            try index.name(side, root: model.entities[place.entity].root, key: place.key) ?? "absent"
        }
        return (relationship.isOrdered ? names : names.sorted(), places.map(address))
    }

    private func target(of relationship: NSRelationshipDescription, _ row: Row) -> ComparisonIndex.Place? {
        guard case .toOne(let slot)? = row.slab.layout.places[relationship.name],
            row.slab.tag(row.index, slot) == RowTag.integer
        else { return nil }
        let key = row.slab.integer(row.index, slot)
        let recorded = row.slab.tag(row.index, slot + 1) == RowTag.integer ? row.slab.integer(row.index, slot + 1) : -1
        if let entity = Int(exactly: recorded), model.entities.indices.contains(entity) {
            return .init(entity: entity, key: key)
        }
        return relationship.destinationEntity.flatMap { model.layout(of: $0) }.map {
            .init(entity: $0.number, key: key)
        }
    }
}
