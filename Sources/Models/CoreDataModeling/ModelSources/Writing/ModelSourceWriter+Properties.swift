import CoreDataFoundation

extension ModelSourceWriter {
    /// The XML attributes that all kinds of properties have.
    private func common(_ property: NSPropertyDescription) -> [(String, String?)] {
        [
            ("name", property.name), ("optional", yes(property.isOptional)),
            ("indexed", yes(property.isIndexed)),
            ("spotlightIndexingEnabled", yes(property.isIndexedBySpotlight)),
            ("storedInTruthFile", yes(property.isStoredInExternalRecord)),
            ("elementID", property.declaredRenamingIdentifier), ("versionHashModifier", property.versionHashModifier),
            ("syncable", property.isSyncable ? nil : "NO"),
        ]
    }

    mutating func element(for relationship: NSRelationshipDescription) -> ModelElement {
        let inverse = relationship.inverseRelationship
        let maxCount = relationship.maxCount
        let values: [(String, String?)] = [
            ("transient", yes(relationship.isTransient)), ("toMany", yes(maxCount == 0 || maxCount > 1)),
            ("minCount", relationship.minCount == 0 ? nil : "\(relationship.minCount)"),
            ("maxCount", maxCount == 0 ? nil : "\(maxCount)"),
            ("deletionRule", Self.deleteRules[relationship.deleteRule]), ("ordered", yes(relationship.isOrdered)),
            ("destinationEntity", relationship.destinationEntity?.name), ("inverseName", inverse?.name),
            ("inverseEntity", inverse == nil ? nil : relationship.destinationEntity?.name),
        ]
        noteRules(of: relationship)
        return make(
            "relationship", values: common(relationship) + values,
            elements: userInfo(relationship.userInfo, of: "'\(relationship.qualifiedName)'"))
    }

    private static let deleteRules: [NSDeleteRule: String] = [
        .nullifyDeleteRule: "Nullify", .cascadeDeleteRule: "Cascade", .denyDeleteRule: "Deny",
        .noActionDeleteRule: "No Action",
    ]

    mutating func element(for property: NSFetchedPropertyDescription) -> ModelElement {
        let owner = "'\(property.qualifiedName)'"
        var elements: [ModelElement] = []
        if let template = property.fetchRequestTemplate {
            elements.append(element(for: template, named: "fetchedPropertyFetchRequest", of: owner))
        } else if property.fetchRequestObject != nil {
            losses.append("the fetch of \(owner), which was set in code")
        }
        elements += userInfo(property.userInfo, of: owner)
        noteRules(of: property)
        return make("fetchedProperty", values: common(property), elements: elements)
    }

    private mutating func noteRules(of property: NSPropertyDescription) {
        guard !property.validationRules.isEmpty else { return }
        losses.append("the validation of '\(property.qualifiedName)', which is no attribute")
    }

    // MARK: Attributes

    mutating func element(for attribute: NSAttributeDescription) -> ModelElement {
        let derived = attribute as? NSDerivedAttributeDescription
        let compositeName = (attribute as? NSCompositeAttributeDescription).map { composite(of: $0) }
        let values: [(String, String?)] = [
            ("transient", yes(attribute.isTransient)), ("attributeType", typeName(attribute.attributeType)),
            ("composite", compositeName), ("derived", yes(derived != nil)),
            ("derivationExpression", derived?.derivationText),
            ("usesScalarValueType", attribute.usesScalarValueType.map { $0 ? "YES" : "NO" }),
            ("valueTransformerName", attribute.valueTransformerName),
            ("customClassName", attribute.declaredValueClassName),
            ("allowsExternalBinaryDataStorage", yes(attribute.allowsExternalBinaryDataStorage)),
            ("preserveAfterDeletion", yes(attribute.preservesValueInHistoryOnDeletion)),
            ("allowsCloudEncryption", yes(attribute.allowsCloudEncryption)),
        ]
        return make(
            "attribute", values: common(attribute) + values + defaultValue(of: attribute) + limits(of: attribute),
            elements: userInfo(attribute.userInfo, of: "'\(attribute.qualifiedName)'"))
    }

    /// The name of a type; nil for the undefined type, which a source leaves out.
    func typeName(_ type: NSAttributeType) -> String? {
        switch type {
        case .undefinedAttributeType: nil
        case .objectIDAttributeType: "ObjectID"
        default: AttributeSource.types.first { $0.value == type }?.key
        }
    }

    /// Adds the elements of a composite attribute as a composite of the model and returns its name; equal ones are
    /// shared.
    private mutating func composite(of attribute: NSCompositeAttributeDescription) -> String {
        let elements = attribute.elements.map { element(for: $0) }
        let base = attribute.compositeName ?? attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
        var name = base
        var number = 2
        while let other = composites[name], !Self.areEqual(other, elements) {
            name = "\(base)\(number)"
            number += 1
        }
        composites[name] = elements
        return name
    }

    private static func areEqual(_ first: [ModelElement], _ second: [ModelElement]) -> Bool {
        func text(_ elements: [ModelElement]) -> String {
            elements.reduce(into: "") { $1.write(to: &$0) }
        }
        return text(first) == text(second)
    }
}
