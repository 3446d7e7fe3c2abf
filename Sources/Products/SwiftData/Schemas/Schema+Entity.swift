extension Schema {
    /// An entity: what a model class declares.
    public final class Entity: Hashable, @unchecked Sendable {
        let plan: ModelPlan
        /// The name of the model class, without its module.
        public var name: String { plan.name }
        /// The properties that the class declares, in the order of the source.
        let ownProperties: [any SchemaProperty]
        /// The entity of the superclass, if it is a model.
        public internal(set) var superentity: Entity? {
            didSet { superentity?.subclasses.append(Subclass(entity: self)) }
        }
        /// The entities of the subclasses that the schema has.
        public var subentities: Set<Entity> { Set(subclasses.compactMap(\.entity)) }
        private var subclasses: [Subclass] = []

        private struct Subclass {
            weak var entity: Entity?
        }

        init(plan: ModelPlan) {
            self.plan = plan
            ownProperties = plan.ownProperties.map { $0.makeProperty() }
        }

        /// The name of the superclass's entity.
        public var superentityName: String? { superentity?.name }
        /// The properties of the superclasses.
        public var inheritedProperties: [any SchemaProperty] { superentity?.properties ?? [] }
        /// The properties of the superclasses by their names.
        public var inheritedPropertiesByName: [String: any SchemaProperty] {
            Dictionary(inheritedProperties.map { ($0.name, $0) }) { first, _ in first }
        }
        /// All properties: those of the superclasses first, each class's in the order of the source.
        public var properties: [any SchemaProperty] { inheritedProperties + ownProperties }

        /// The attributes.
        public var attributes: Set<Attribute> { Set(properties.compactMap { $0 as? Attribute }) }
        /// The relationships.
        public var relationships: Set<Relationship> { Set(properties.compactMap { $0 as? Relationship }) }
        /// The attributes by their names.
        public var attributesByName: [String: Attribute] {
            Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
        }
        /// The relationships by their names.
        public var relationshipsByName: [String: Relationship] {
            Dictionary(relationships.map { ($0.name, $0) }) { first, _ in first }
        }
        /// The properties that a store has.
        public var storedProperties: [any SchemaProperty] { properties.filter { !$0.isTransient } }
        /// The attributes and relationships by their names.
        public var storedPropertiesByName: [String: any SchemaProperty] {
            Dictionary(storedProperties.map { ($0.name, $0) }) { first, _ in first }
        }
        /// Groups of properties whose values together are unique, as the class declares them.
        public var uniquenessConstraints: [[String]] {
            ownProperties.filter(\.isUnique).map { [$0.name] }
                + plan.declaredConstraints.filter { group in
                    group.count > 1 || !ownProperties.contains { $0.isUnique && $0.name == group.first }
                }
        }
        /// The properties of each index.
        public var indices: [[String]] { plan.declaredIndexes.map(\.names) }

        public static func == (one: Entity, other: Entity) -> Bool {
            ObjectIdentifier(one.plan.type) == ObjectIdentifier(other.plan.type)
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(plan.type)) }
    }
}
