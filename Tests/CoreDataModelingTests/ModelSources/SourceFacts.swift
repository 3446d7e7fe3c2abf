import CoreDataModeling

/// Everything that a source can say of a model, as lines in a stable order; beyond `ModelText` also what only editors need.
enum SourceFacts {
    static func lines(_ model: NSManagedObjectModel) -> [String] {
        ModelText.lines(model)
            + model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap { entity in
                [self.entity(entity)] + entity.ownProperties.sorted { $0.name < $1.name }.map(property)
            }
    }

    private static func entity(_ entity: NSEntityDescription) -> String {
        let indexes = entity.indexes.map { index in
            let parts = index.elements.map {
                "\($0.propertyName ?? "-") \($0.expressionText ?? "-") \($0.expressionTypeName ?? "-") "
                    + "\($0.collationType) \($0.isAscending)"
            }
            return "\(index.name) where \(index.partialIndexPredicateFormat ?? "-"): \(parts)"
        }
        return "\(entity.name ?? "?") class \(entity.managedObjectClassName ?? "-")"
            + " generation \(entity.codeGenerationType ?? "-") syncable \(entity.isSyncable)"
            + " spotlight \(entity.coreSpotlightDisplayNameExpression?.formatString ?? "-")"
            + " info \(entity.userInfo?.count ?? 0) compound \(entity.compoundIndexNames) indexes \(indexes)"
    }

    private static func property(_ property: NSPropertyDescription) -> String {
        var line =
            "  \(property.name) indexed \(property.isIndexed) spotlight \(property.isIndexedBySpotlight)"
            + " external \(property.isStoredInExternalRecord) syncable \(property.isSyncable) info \(property.userInfo?.count ?? 0)"
        guard let attribute = property as? NSAttributeDescription else { return line }
        line +=
            " scalar \(attribute.usesScalarValueType.map(String.init) ?? "-")"
            + " class \(attribute.declaredValueClassName ?? "-") encrypted \(attribute.allowsCloudEncryption)"
        guard let composite = attribute as? NSCompositeAttributeDescription else { return line }
        return line + " composite \(composite.compositeName ?? "-") [" + composite.elements.map(self.element).joined()
            + "]"
    }

    private static func element(_ attribute: NSAttributeDescription) -> String {
        let value = attribute.defaultValue.map { "\($0)" } ?? "-"
        return property(attribute) + " \(attribute.attributeType) \(value) \(attribute.isOptional)"
    }
}
