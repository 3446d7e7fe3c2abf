extension Schema {
    /// An entity: what a model class declares.
    public final class Entity: Hashable, @unchecked Sendable {
        let plan: ModelPlan
        /// The name of the model class, without its module.
        public var name: String { plan.name }
        /// The properties, in the order of the source.
        public let properties: [any SchemaProperty]

        init(plan: ModelPlan) {
            self.plan = plan
            properties = plan.properties.map { $0.makeProperty() }
        }

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
        /// Groups of properties whose values together are unique.
        public var uniquenessConstraints: [[String]] {
            properties.filter(\.isUnique).map { [$0.name] }
                + plan.declaredConstraints.filter { group in
                    group.count > 1 || !properties.contains { $0.isUnique && $0.name == group.first }
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
