import CoreDataFoundation

/// One property of an archived model, from which a description is made.
struct ArchivedProperty {
    let archive: KeyedArchive
    let object: KeyedArchive.Object
    /// The number of composite attributes that enclose the property.
    var depth = 0

    private var fields: [String: PropertyList] { object.fields }

    /// - Throws: `ModelingError` for an object of a class that is not a property, and for composites that nest too
    ///   deep.
    func makeDescription() throws -> NSPropertyDescription {
        let description: NSPropertyDescription
        switch object.className {
        case "NSAttributeDescription": description = fill(NSAttributeDescription())
        case "NSDerivedAttributeDescription": description = makeDerived()
        case "NSCompositeAttributeDescription": description = try makeComposite()
        case "NSRelationshipDescription": description = makeRelationship()
        case "NSFetchedPropertyDescription": description = makeFetched()
        default:
            throw ModelingError(.unexpectedClass, "the archived model has a property of class '\(object.className)'")
        }
        fillCommon(description)
        return description
    }

    private func fillCommon(_ property: NSPropertyDescription) {
        property.name = archive.string(fields["NSPropertyName"]) ?? ""
        property.isOptional = archive.boolean(fields["NSIsOptional"])
        property.isTransient = archive.boolean(fields["NSIsTransient"])
        property.isIndexed = archive.boolean(fields["NSIsIndexed"])
        property.isIndexedBySpotlight = archive.boolean(fields["NSIsIndexedBySpotlight"])
        property.isStoredInExternalRecord = archive.boolean(fields["NSIsStoredInTruthFile"])
        property.versionHashModifier = archive.string(fields["NSVersionHashModifier"])
        let renaming = archive.string(fields["NSRenamingIdentifier"])
        property.declaredRenamingIdentifier = renaming == property.name ? nil : renaming
        property.userInfo = archive.userInfo(fields["NSUserInfo"])
        property.validationRules = archive.validationRules(
            fields["NSValidationPredicates"], warnings: fields["NSValidationWarnings"])
        property.notes = archive.validationNotes(fields["NSValidationPredicates"])
    }

    private func fill(_ attribute: NSAttributeDescription) -> NSAttributeDescription {
        let number = archive.integer(fields["NSAttributeType"]).flatMap { UInt(exactly: $0) } ?? 0
        attribute.attributeType = NSAttributeType(rawValue: number) ?? .undefinedAttributeType
        let className = archive.string(fields["NSAttributeValueClassName"])
        attribute.declaredValueClassName = className == attribute.attributeType.valueClassName ? nil : className
        attribute.valueTransformerName = archive.string(fields["NSValueTransformerName"]).flatMap {
            $0.isEmpty ? nil : $0
        }
        let flags = archive.integer(fields["NSFlagsKey"]) ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
        attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
        attribute.allowsCloudEncryption = archive.boolean(fields[CompiledModelWriter.cloudEncryptionKey])
        attribute.defaultValue = archive.plainValue(fields["NSDefaultValue"], as: attribute.attributeType)
        return attribute
    }

    private func makeDerived() -> NSAttributeDescription {
        let derived = NSDerivedAttributeDescription()
        derived.derivationText = archive.expressionText(fields["NSDerivationExpression"])
        return fill(derived)
    }

    private func makeComposite() throws -> NSAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        _ = fill(composite)
        composite.attributeType = .compositeAttributeType
        guard depth < CompiledModelWriter.greatestCompositeDepth else {
            throw ModelingError(.unsupportedForm, "the archived model has composites that nest too deep")
        }
        // The first key is Apple's, the second that of models compiled by release 0.1.0 of this library.
        let values = archive.elements(fields["NSCompositeElements"]) ?? archive.elements(fields["NSElements"]) ?? []
        composite.elements = try values.compactMap { value in
            guard let element = archive.object(value) else { return nil }
            return try ArchivedProperty(archive: archive, object: element, depth: depth + 1).makeDescription()
                as? NSAttributeDescription
        }
        return composite
    }

    private func makeRelationship() -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.maxCount = archive.integer(fields["NSMaxCount"]) ?? 0
        relationship.minCount = archive.integer(fields["NSMinCount"]) ?? 0
        relationship.isOrdered = archive.boolean(fields["NSIsOrdered"])
        let rule = archive.integer(fields["NSDeleteRule"]).flatMap { UInt(exactly: $0) } ?? 0
        relationship.deleteRule = NSDeleteRule(rawValue: rule) ?? .noActionDeleteRule
        return relationship
    }

    private func makeFetched() -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        if let request = archive.object(fields["NSFetchRequest"]) {
            property.fetchRequestTemplate = archive.template(request)
        }
        if property.fetchRequestTemplate?.entityName == nil {
            property.fetchRequestTemplate?.entityName = archive.string(fields["_NSFetchRequestEntityName"])
        }
        return property
    }
}
