import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// How rows of an entity correspond to the engine's rows.
struct EntityMapping {
    /// An end of a relationship whose contents the engine has of each object.
    struct LinkEnd {
        let name: String
        let relationship: NSRelationshipDescription
        /// The slot of a to-one relationship; nil for a to-many one.
        let slot: Int?
        /// Whether the store keeps the contents as links, rather than in the rows of the members.
        let isKeptAsLinks: Bool
    }

    let layout: EntityLayout
    let entity: SyncEntity
    let attributes: [AttributeMapping]
    let ends: [LinkEnd]
    let attributesByName: [String: AttributeMapping]

    /// Whether rows may have large values.
    var hasData: Bool { attributes.contains { $0.kind == .binary || $0.kind == .transformable } }

    var name: String { layout.entity.name ?? "" }

    /// - Returns: nil for an entity that is not synced.
    init?(_ layout: EntityLayout, _ schema: SyncSchema) {
        guard let entity = schema.entity(named: layout.entity.name ?? "") else { return nil }
        self.layout = layout
        self.entity = entity
        attributes = AttributeMapping.all(of: layout).map { Self.cutting($0, entity) }
        attributesByName = Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var names: [String] = []
        for pair in entity.outgoing { names.append(pair.source.name) }
        for pair in entity.incoming where !pair.isOwnInverse {
            if let target = pair.target, target.isOrdered || !target.isToMany { names.append(target.name) }
        }
        ends = Set(names).sorted().compactMap { Self.end($0, layout) }
    }

    /// Values are cut unless a rule or a unique constraint looks into them.
    private static func cutting(_ attribute: AttributeMapping, _ entity: SyncEntity) -> AttributeMapping {
        var attribute = attribute
        let rule = entity.attribute(attribute.id)?.rule
        attribute.isCut =
            (rule == .lastWriter || rule == .firstWriter)
            && !entity.constraints.contains { $0.attributes.contains(attribute.id) }
        return attribute
    }

    private static func end(_ name: String, _ layout: EntityLayout) -> LinkEnd? {
        switch layout.places[name] {
        case .toOne(let slot):
            guard slot < layout.storedCount, case .toOne(let relationship) = layout.slots[slot].content else {
                return nil
            }
            return LinkEnd(name: name, relationship: relationship, slot: slot, isKeptAsLinks: false)
        case .toMany(let number):
            let relationship = layout.toMany[number]
            let isKeptAsLinks = relationship.inverseRelationship.map(\.isToMany) ?? true
            return LinkEnd(name: name, relationship: relationship, slot: nil, isKeptAsLinks: isKeptAsLinks)
        default: return nil
        }
    }
}

/// The mappings of all synced entities of a store.
struct ModelMapping {
    let schema: SyncSchema
    /// By the numbers of the layouts; nil for entities that are not synced.
    private let byNumber: [EntityMapping?]
    private let byID: [SchemaID: Int]
    /// The numbers by which keys of a hierarchy are kept, by the numbers of the root entities.
    private let roots: [SchemaID]

    init(_ model: NSManagedObjectModel, _ layouts: ModelLayout, keeping isKept: (NSEntityDescription) -> Bool) throws {
        schema = try SchemaBuilder(model: model).schema()
        byNumber = layouts.entities.map { [schema] in isKept($0.entity) ? EntityMapping($0, schema) : nil }
        byID = Dictionary(
            layouts.entities.map { (SchemaBuilder.id($0.entity), $0.number) }, uniquingKeysWith: { first, _ in first })
        var roots: [SchemaID] = []
        for layout in layouts.entities where layout.root == roots.count {
            roots.append(SchemaBuilder.id(layout.entity))
        }
        self.roots = roots
    }

    var entities: [EntityMapping] { byNumber.compactMap { $0 } }

    subscript(layout: EntityLayout) -> EntityMapping? {
        byNumber.indices.contains(layout.number) ? byNumber[layout.number] : nil
    }

    subscript(id: SchemaID) -> EntityMapping? { byID[id].flatMap { byNumber[$0] } }

    func entity(named name: String) -> EntityMapping? { schema.entity(named: name).flatMap { self[$0.id] } }

    func root(of layout: EntityLayout) -> SchemaID { roots[layout.root] }
}
