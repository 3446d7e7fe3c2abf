import CoreDataStore

/// The names of entities and properties in an XML store: uppercase for entities, lowercase for properties.
///
/// If the case conversion would make two names equal, both are written unchanged; see Decision 0012.
struct XMLNames {
    /// Where a row stores the value or reference of a property.
    enum Place {
        case attribute(slot: Int, NSAttributeDescription, AttributeKind)
        /// An element of a composite attribute; `number` is its index in `CompositeCoding.leaves(of:)`.
        case element(slot: Int, number: Int, NSAttributeDescription, AttributeKind)
        case toOne(slot: Int, NSRelationshipDescription)
        case toMany(NSRelationshipDescription)
    }

    struct Property {
        let name: String
        let place: Place
    }

    struct Entity {
        let layout: EntityLayout
        let name: String
        /// The properties in the order in which they are written: attributes before relationships.
        let properties: [Property]
        let byName: [String: Int]
        /// The number of elements of each composite attribute, by slot.
        let elementCounts: [Int: Int]
    }

    /// The entities, by the numbers of their layouts.
    let entities: [Entity]
    private let byName: [String: Int]

    init(_ tables: RecordTables) {
        let layouts = tables.model.entities
        let names = Self.unique(layouts.map { $0.entity.name ?? "" }) { $0.uppercased() }
        entities = zip(layouts, names).map { Self.entity($0, name: $1, plan: tables.plan) }
        byName = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entity with the given name in the file; nil if the model lacks it.
    func entity(ofType type: String) -> Entity? { byName[type].map { entities[$0] } }

    private static func entity(_ layout: EntityLayout, name: String, plan: RelationPlan) -> Entity {
        var found: [(name: String, place: Place)] = []
        var counts: [Int: Int] = [:]
        for slot in 0..<layout.storedCount {
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { continue }
            guard kind == .composite else {
                found.append((attribute.name, .attribute(slot: slot, attribute, kind)))
                continue
            }
            let leaves = CompositeCoding.leaves(of: attribute)
            counts[slot] = leaves.count
            for (number, leaf) in leaves.enumerated() {
                let path = ([attribute.name] + leaf.path).joined(separator: ".")
                let kind = AttributeKind(leaf.attribute)
                found.append((path, .element(slot: slot, number: number, leaf.attribute, kind)))
            }
        }
        for slot in 0..<layout.storedCount {
            guard case .toOne(let relationship) = layout.slots[slot].content else { continue }
            found.append((relationship.name, .toOne(slot: slot, relationship)))
        }
        for relationship in layout.toMany where plan.source(of: relationship) != nil {
            found.append((relationship.name, .toMany(relationship)))
        }
        let names = unique(found.map(\.name)) { $0.lowercased() }
        let properties = zip(names, found).map { Property(name: $0, place: $1.place) }
        let byName = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return Entity(layout: layout, name: name, properties: properties, byName: byName, elementCounts: counts)
    }

    /// The converted names, except that names which the conversion would make equal stay unchanged.
    private static func unique(_ names: [String], _ change: (String) -> String) -> [String] {
        let changed = names.map(change)
        let counts = changed.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return zip(names, changed).map { counts[$1] == 1 ? $1 : $0 }
    }
}
