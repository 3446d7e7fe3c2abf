import CoreDataModeling

/// Everything a model says, as lines in a stable order, so that two models can be compared and a difference can be read.
enum ModelText {
    /// Without what Apple's tools add on the way from a source to a store: classes are qualified with their module, and
    /// attributes that were marked for it or have a fetch index of their own get an index of their name.
    static func lines(_ model: NSManagedObjectModel) -> [String] {
        var lines = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap(entity)
        for (name, template) in model.templatesByName.sorted(by: { $0.key < $1.key }) {
            lines.append("fetch \(name) \(fetch(template))")
        }
        for name in model.configurations {
            let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
            lines.append("configuration \(name) \(members)")
        }
        return lines + ["identifiers \(model.versionIdentifiers.map { "\($0)" }.sorted())"]
    }

    private static func entity(_ entity: NSEntityDescription) -> [String] {
        let name = entity.name ?? "?"
        let head = [
            "entity \(name) abstract \(entity.isAbstract)",
            "  parent \(entity.superentity?.name ?? "-") renaming \(entity.renamingIdentifier ?? "-")",
            "  modifier \(entity.versionHashModifier ?? "-") info \(info(entity.userInfo))",
            "  unique \(entity.uniquenessConstraintNames)",
            "  indexes \(entity.indexes.filter { $0.name != $0.elements.first?.propertyName }.map(index).sorted())",
        ]
        return head + entity.ownProperties.sorted { $0.name < $1.name }.map { "  " + property($0) }
    }

    private static func info(_ values: [AnyHashable: Any]?) -> String {
        (values ?? [:]).map { key, value in
            (value as? [AnyHashable: Any]).map { "\(key)={\(info($0))}" } ?? "\(key)=\(value)"
        }.sorted().joined(separator: ",")
    }

    /// The fetch with its predicate in one spelling.
    private static func fetch(_ template: FetchRequestTemplate?) -> String {
        guard var template else { return "-" }
        let predicate = template.predicateFormat.flatMap { try? NSPredicate(parsing: $0) }
        template.predicateFormat = predicate?.formatString ?? template.predicateFormat
        return "\(template)"
    }

    private static func index(_ index: NSFetchIndexDescription) -> String {
        let elements = index.elements.map { "\($0.propertyName ?? "?") \($0.collationType) \($0.isAscending)" }
        return "\(index.name)(\(elements.joined(separator: ", ")))"
    }

    private static func property(_ property: NSPropertyDescription) -> String {
        let common =
            "\(property.name) optional \(property.isOptional) transient \(property.isTransient) "
            + "renaming \(property.renamingIdentifier ?? "-") modifier \(property.versionHashModifier ?? "-") "
            + "info \(info(property.userInfo)) rules \(property.validationRules.map(\.check))"
        switch property {
        case let attribute as NSAttributeDescription: return common + self.attribute(attribute)
        case let relationship as NSRelationshipDescription: return common + self.relationship(relationship)
        case let fetched as NSFetchedPropertyDescription:
            return common + " \(fetch(fetched.fetchRequestTemplate))"
        default: return common
        }
    }

    private static func attribute(_ attribute: NSAttributeDescription) -> String {
        let derivation = (attribute as? NSDerivedAttributeDescription)?.derivationText.map(DerivationText.canonical)
        return " \(attribute.attributeType) default \(attribute.defaultValue.map { "\($0)" } ?? "-")"
            + " transformer \(attribute.valueTransformerName ?? "-") external \(attribute.allowsExternalBinaryDataStorage)"
            + " preserved \(attribute.preservesValueInHistoryOnDeletion) derived \(derivation ?? "-")"
    }

    private static func relationship(_ relationship: NSRelationshipDescription) -> String {
        " to \(relationship.destinationEntity?.name ?? "?") inverse \(relationship.inverseRelationship?.name ?? "-")"
            + " \(relationship.minCount)...\(relationship.maxCount) ordered \(relationship.isOrdered) \(relationship.deleteRule)"
    }
}
