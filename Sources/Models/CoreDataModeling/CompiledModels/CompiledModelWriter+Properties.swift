import CoreDataFoundation

extension CompiledModelWriter {
    mutating func write(
        _ property: NSPropertyDescription, of entity: NSEntityDescription, at place: PropertyList
    ) throws {
        var fields = try commonFields(of: property)
        fields["NSEntity"] = reference(to: entity)
        let className: String
        switch property {
        case let attribute as NSAttributeDescription:
            className = try add(attribute, to: &fields)
        case let relationship as NSRelationshipDescription:
            add(relationship, to: &fields)
            className = "NSRelationshipDescription"
        case let fetched as NSFetchedPropertyDescription:
            try add(fetched, to: &fields)
            className = "NSFetchedPropertyDescription"
        default:
            throw ModelingError(.unexpectedClass, "'\(property.qualifiedName)' is of a kind that no model can hold")
        }
        archive.define(place, className: className, fields: fields)
    }

    // MARK: What all properties have

    private mutating func commonFields(of property: NSPropertyDescription) throws -> [String: PropertyList] {
        var fields: [String: PropertyList] = [
            "NSPropertyName": archive.text(property.name),
            "NSRenamingIdentifier": archive.text(property.renamingIdentifier), "_P": .integer(flags(of: property)),
        ]
        let flags = [
            ("NSIsOptional", property.isOptional), ("NSIsTransient", property.isTransient),
            ("NSIsReadOnly", Self.isReadOnly(property)), ("NSIsIndexed", property.isIndexed),
            ("NSIsIndexedBySpotlight", property.isIndexedBySpotlight),
            ("NSIsStoredInTruthFile", property.isStoredInExternalRecord),
        ]
        for (key, flag) in flags where flag { fields[key] = .boolean(true) }
        if let info = property.userInfo, !info.isEmpty { fields["NSUserInfo"] = try userInfo(info) }
        if let modifier = property.versionHashModifier { fields["NSVersionHashModifier"] = archive.text(modifier) }
        try addValidation(of: property, to: &fields)
        return fields
    }

    private mutating func addValidation(
        of property: NSPropertyDescription, to fields: inout [String: PropertyList]
    ) throws {
        guard property.hasValidation else { return }
        let predicates = try property.validationPredicates.map { try archive.predicate($0) }
        let warnings = try property.validationWarnings.map { try archive.value($0) }
        fields["NSValidationPredicates"] = archive.collection("NSMutableArray", predicates)
        fields["NSValidationWarnings"] = archive.collection("NSMutableArray", warnings)
    }

    /// Whether the values of a property come from other properties or from a fetch, so that they cannot be set.
    private static func isReadOnly(_ property: NSPropertyDescription) -> Bool {
        property is NSDerivedAttributeDescription || property is NSFetchedPropertyDescription
    }

    /// Flags that are set if they apply (1 always, 2 optional, 4 read-only, 8 transient, 0x400 ordered) and flags that
    /// are set if something is missing (0x30 validation, 0x40 user info, 0x80 a hash modifier).
    private func flags(of property: NSPropertyDescription) -> Int64 {
        let bits: [(Int64, Bool)] = [
            (1, true), (2, property.isOptional), (4, Self.isReadOnly(property)), (8, property.isTransient),
            (0x30, !property.hasValidation), (0x40, property.userInfo?.isEmpty ?? true),
            (0x80, property.versionHashModifier == nil),
            (0x400, (property as? NSRelationshipDescription)?.isOrdered ?? false),
        ]
        return bits.reduce(0) { $1.1 ? $0 | $1.0 : $0 }
    }

    // MARK: Kinds

    /// Adds the fields of an attribute and returns the name of its class.
    private mutating func add(
        _ attribute: NSAttributeDescription, to fields: inout [String: PropertyList], depth: Int = 0
    ) throws -> String {
        var flags: Int64 = attribute.allowsExternalBinaryDataStorage ? 4 : 0
        if attribute.preservesValueInHistoryOnDeletion { flags |= 16 }
        fields["NSFlagsKey"] = .integer(flags)
        fields["NSAttributeType"] = .integer(Int64(attribute.attributeType.rawValue))
        fields["NSAttributeValueClassName"] = archive.text(attribute.attributeValueClassName)
        fields["NSValueTransformerName"] = archive.text(attribute.valueTransformerName)
        fields["NSDefaultValue"] = try defaultValue(of: attribute)
        if attribute.allowsCloudEncryption { fields[Self.cloudEncryptionKey] = .boolean(true) }
        switch attribute {
        case let derived as NSDerivedAttributeDescription:
            fields["NSFilteringPredicate"] = ArchiveBuilder.null
            fields["NSDerivationExpression"] = try derivation(of: derived)
            return "NSDerivedAttributeDescription"
        case let composite as NSCompositeAttributeDescription:
            guard depth < Self.greatestCompositeDepth else {
                throw ModelingError(.unsupportedForm, "the composites of '\(composite.name)' nest too deep")
            }
            fields["NSCompositeElements"] = archive.collection(
                "NSArray", try composite.elements.map { try element($0, depth: depth + 1) })
            return "NSCompositeAttributeDescription"
        default: return "NSAttributeDescription"
        }
    }

    /// A key of this library, since no compiled model shows which key Apple's tools use.
    static let cloudEncryptionKey = "OpenCoreDataAllowsCloudEncryption"

    private mutating func defaultValue(of attribute: NSAttributeDescription) throws -> PropertyList {
        if let number = attribute.defaultValue as? NSNumber, attribute.attributeType == .booleanAttributeType {
            return archive.append(.boolean(number.boolValue))
        }
        do {
            return try archive.value(attribute.defaultValue)
        } catch let error as ArchiveError {
            throw ModelingError(
                ModelingError(error).code, "the default of '\(attribute.qualifiedName)': \(error.cause)")
        }
    }

    private mutating func derivation(of derived: NSDerivedAttributeDescription) throws -> PropertyList {
        guard let text = derived.derivationText else { return ArchiveBuilder.null }
        do {
            return try archive.expression(NSExpression(parsing: DerivationText.canonical(text)))
        } catch {
            throw ModelingError(.invalidModel, "the derivation of '\(derived.qualifiedName)': \(error)")
        }
    }

    /// The deepest nesting of composites, the same as that of `CompositeRules`.
    static let greatestCompositeDepth = 16

    private mutating func element(_ element: NSAttributeDescription, depth: Int) throws -> PropertyList {
        var fields = try commonFields(of: element)
        fields["NSEntity"] = ArchiveBuilder.null
        let className = try add(element, to: &fields, depth: depth)
        return archive.add(className, fields)
    }

    private mutating func add(_ relationship: NSRelationshipDescription, to fields: inout [String: PropertyList]) {
        fields["NSDestinationEntity"] = reference(to: relationship.destinationEntity)
        fields["_NSDestinationEntityName"] = archive.text(relationship.destinationEntity?.name)
        fields["NSInverseRelationship"] = reference(to: relationship.inverseRelationship)
        fields["_NSInverseRelationshipName"] = archive.text(relationship.inverseRelationship?.name)
        fields["NSMinCount"] = .integer(Int64(relationship.minCount))
        fields["NSMaxCount"] = .integer(Int64(relationship.maxCount))
        fields["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
        if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
    }

    private mutating func add(
        _ fetched: NSFetchedPropertyDescription, to fields: inout [String: PropertyList]
    ) throws {
        guard let template = fetched.fetchRequestTemplate else { return }
        fields["NSFetchRequest"] = try write(template)
        fields["_NSFetchRequestEntityName"] = archive.text(template.entityName)
    }

    // MARK: Indexes

    mutating func write(_ index: NSFetchIndexDescription, of entity: NSEntityDescription) throws -> PropertyList {
        let place = archive.reserve()
        var fields: [String: PropertyList] = [
            "NSIndexName": archive.text(index.name), "NSEntity": reference(to: entity),
            "NSPartialIndexPredicate": ArchiveBuilder.null,
        ]
        if let format = index.partialIndexPredicateFormat {
            fields["NSPartialIndexPredicate"] = try predicate(parsing: format, of: "fetch index '\(index.name)'")
        }
        fields["NSIndexElements"] = archive.collection(
            "NSArray", try index.elements.map { try write($0, index: place) })
        archive.define(place, className: "NSFetchIndexDescription", fields: fields)
        return place
    }

    private mutating func write(_ element: NSFetchIndexElementDescription, index: PropertyList) throws -> PropertyList {
        var fields: [String: PropertyList] = [
            "NSPropertyName": archive.text(element.propertyName ?? ""), "NSFetchIndexDescription": index,
            "NSFetchIndexElementType": .integer(Int64(element.collationType.rawValue)),
            "NSAscending": .boolean(element.isAscending),
        ]
        if let text = element.indexedExpressionText {
            fields[Self.indexExpressionKey] = archive.text(text)
        }
        return archive.add("NSFetchIndexElementDescription", fields)
    }

    /// A key of this library, since no compiled model shows which key Apple's tools use for the expression of a fetch
    /// index.
    static let indexExpressionKey = "OpenCoreDataExpression"
}

extension NSPropertyDescription {
    var hasValidation: Bool { declaredValidation.map { !$0.predicates.isEmpty } ?? !validationRules.isEmpty }
}
