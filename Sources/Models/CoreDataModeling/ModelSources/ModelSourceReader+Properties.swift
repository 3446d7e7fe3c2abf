import CoreDataFoundation

extension ModelSourceReader {
    func openAttribute(_ element: SourceElement, in context: Context) -> Context {
        var element = element
        let attribute = AttributeSource.makeAttribute(&element)
        note(element)
        if case .composite = context {
            compositeElements.append(attribute)
        } else {
            properties.append(attribute)
            if let composite = attribute as? NSCompositeAttributeDescription { compositeUses.append(composite) }
        }
        assembly.note(element.place, of: attribute)
        return .property(attribute)
    }

    func openRelationship(_ element: SourceElement) -> Context {
        var element = element
        let relationship = NSRelationshipDescription()
        element.takeCommon(into: relationship)
        let isToMany = element.takeFlag("toMany")
        relationship.maxCount = element.takeInteger("maxCount") ?? (isToMany == true ? 0 : 1)
        relationship.minCount = element.takeInteger("minCount") ?? 0
        relationship.isOrdered = element.takeFlag("ordered") ?? false
        relationship.deleteRule = element.takeDeleteRule()
        let destination = element.takeRequired("destinationEntity")
        let inverse = element.takeText("inverseName")
        let inverseEntity = inverse == nil ? nil : element.takeText("inverseEntity")
        if let inverseEntity, inverseEntity != destination {
            // The editor writes the entity that declares the inverse, which may be an ancestor of the destination.
            element.noteBack("inverseEntity", inverseEntity)
        }
        relationship.notes = element.notes
        note(element)
        properties.append(relationship)
        assembly.note(element.place, of: relationship)
        assembly.link(
            .init(
                relationship: relationship, destination: destination, inverse: inverse, inverseEntity: inverseEntity,
                isToMany: isToMany ?? false))
        return .property(relationship)
    }

    func openFetchedProperty(_ element: SourceElement) -> Context {
        var element = element
        let property = NSFetchedPropertyDescription()
        element.takeCommon(into: property)
        property.isTransient = true
        property.notes = element.notes
        note(element)
        properties.append(property)
        assembly.note(element.place, of: property)
        return .property(property)
    }

    func openFetch(_ element: SourceElement, of property: NSPropertyDescription) -> Context {
        var element = element
        guard let property = property as? NSFetchedPropertyDescription else {
            element.fault("<fetchRequest> stands in a property that is not fetched")
            return .leaf
        }
        _ = element.take("name")
        property.fetchRequestTemplate = element.takeTemplate()
        property.notes += element.notes
        note(element)
        return .leaf
    }

    func openTemplate(_ element: SourceElement) -> Context {
        var element = element
        let name = element.takeRequired("name")
        let template = element.takeTemplate()
        assembly.requests.append((name, template, element.place))
        assembly.templates[name] = template
        note(element)
        if assembly.notes.count < 100 { assembly.notes += element.notes.map { "fetchRequest \(name): \($0)" } }
        return .leaf
    }
}

extension SourceElement {
    /// Takes the attributes that all kinds of properties have.
    mutating func takeCommon(into property: NSPropertyDescription) {
        property.name = takeRequired("name")
        property.isOptional = takeFlag("optional") ?? false
        property.isTransient = takeFlag("transient") ?? false
        property.isIndexed = takeFlag("indexed") ?? false
        property.isIndexedBySpotlight = takeFlag("spotlightIndexingEnabled") ?? false
        property.isStoredInExternalRecord = takeFlag("storedInTruthFile") ?? false
        property.declaredRenamingIdentifier = takeText("elementID")
        property.versionHashModifier = takeText("versionHashModifier")
        property.isSyncable = takeFlag("syncable") ?? true
    }

    mutating func takeDeleteRule() -> NSDeleteRule {
        switch take("deletionRule") {
        case "Nullify", nil: return .nullifyDeleteRule
        case "Cascade": return .cascadeDeleteRule
        case "Deny": return .denyDeleteRule
        case "No Action": return .noActionDeleteRule
        case let other?:
            fault("<relationship> has the unknown delete rule '\(other)'")
            return .nullifyDeleteRule
        }
    }

    /// Takes a fetch request; the defaults of missing flags depend on the result type.
    ///
    /// Source: compiled models, where a request for dictionaries excludes pending changes and one for identifiers
    /// excludes property values.
    mutating func takeTemplate() -> FetchRequestTemplate {
        var template = FetchRequestTemplate(
            entityName: takeText("entity"), predicateFormat: takeText("predicateString"))
        template.resultType = takeInteger("resultType") ?? 0
        template.fetchLimit = max(0, takeInteger("fetchLimit") ?? 0)
        template.fetchBatchSize = max(0, takeInteger("fetchBatchSize") ?? 0)
        template.includesSubentities = takeFlag("includeSubentities") ?? true
        template.includesPropertyValues = takeFlag("includePropertyValues") ?? (template.resultType != 1)
        template.includesPendingChanges = takeFlag("includesPendingChanges") ?? (template.resultType != 2)
        template.returnsObjectsAsFaults = takeFlag("returnObjectsAsFaults") ?? true
        template.returnsDistinctResults = takeFlag("returnDistinctResults") ?? false
        return template
    }
}
