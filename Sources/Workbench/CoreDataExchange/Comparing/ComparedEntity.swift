import CoreData

/// The properties of an entity that can be compared between two models: those with the same name and kind in both.
struct ComparedEntity {
    /// A property that both models have.
    struct Property {
        let name: String
        let left: NSPropertyDescription
        let right: NSPropertyDescription

        var isToMany: Bool { (left as? NSRelationshipDescription)?.isToMany == true }
    }

    let name: String
    let left: NSEntityDescription
    let right: NSEntityDescription
    let attributes: [Property]
    let relationships: [Property]
    /// The names of the properties that are not compared, since only one model has them or their kinds differ.
    let leftOut: [String]

    init(_ left: NSEntityDescription, _ right: NSEntityDescription) {
        name = left.name ?? ""
        self.left = left
        self.right = right
        var (attributes, relationships, leftOut): ([Property], [Property], Set<String>) = ([], [], [])
        for name in Set(left.propertiesByName.keys).union(right.propertiesByName.keys).sorted() {
            let (one, other) = (left.propertiesByName[name], right.propertiesByName[name])
            guard Self.isStored(one) || Self.isStored(other) else { continue }
            guard let one, let other, Self.isStored(one), Self.isStored(other) else {
                leftOut.insert(name)
                continue
            }
            let property = Property(name: name, left: one, right: other)
            switch (one, other) {
            case (let one as NSAttributeDescription, let other as NSAttributeDescription)
            where AttributeKind(one) == AttributeKind(other):
                attributes.append(property)
            case (let one as NSRelationshipDescription, let other as NSRelationshipDescription)
            where one.isToMany == other.isToMany && one.isOrdered == other.isOrdered
                && one.destinationEntity?.name == other.destinationEntity?.name:
                // The links of this relationship are compared at its to-one inverse.
                if one.isToMany, !one.isOrdered, one.inverseRelationship?.isToMany == false { continue }
                relationships.append(property)
            default: leftOut.insert(name)
            }
        }
        self.attributes = attributes
        self.relationships = relationships
        self.leftOut = leftOut.sorted()
    }

    private static func isStored(_ property: NSPropertyDescription?) -> Bool {
        guard let property else { return false }
        return !property.isTransient && !(property is NSFetchedPropertyDescription)
            && !(property is NSDerivedAttributeDescription)
    }
}
