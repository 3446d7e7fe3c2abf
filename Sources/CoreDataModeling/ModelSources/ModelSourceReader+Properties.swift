import CoreDataFoundation

extension ModelSourceReader {
    func openAttribute(_ element: SourceElement, in context: Context) throws -> Context {
        var element = element
        let attribute = try AttributeSource.makeAttribute(&element)
        note(element)
        if case .composite = context {
            compositeElements.append(attribute)
        } else {
            properties.append(attribute)
            assembly.note(line: element.line, of: attribute)
            if let composite = attribute as? NSCompositeAttributeDescription {
                compositeUses.append((composite, element.line))
            }
        }
        return .property(attribute)
    }

    func openRelationship(_ element: SourceElement) throws -> Context {
        var element = element
        let relationship = NSRelationshipDescription()
        try element.takeCommon(into: relationship)
        let isToMany = try element.takeFlag("toMany") ?? false
        relationship.maxCount = try element.takeInteger("maxCount") ?? (isToMany ? 0 : 1)
        relationship.minCount = try element.takeInteger("minCount") ?? 0
        relationship.isOrdered = try element.takeFlag("ordered") ?? false
        relationship.deleteRule = try element.takeDeleteRule()
        let destination = try element.takeRequired("destinationEntity")
        let inverse = element.takeText("inverseName")
        if let inverseEntity = element.takeText("inverseEntity"), inverse != nil, inverseEntity != destination {
            // The editor names the entity that declares the inverse, which may be one above the destination.
            element.noteBack("inverseEntity", inverseEntity)
        }
        relationship.notes = element.notes
        note(element)
        properties.append(relationship)
        assembly.note(line: element.line, of: relationship)
        assembly.link(
            .init(relationship: relationship, destination: destination, inverse: inverse, line: element.line))
        return .property(relationship)
    }

    func openFetchedProperty(_ element: SourceElement) throws -> Context {
        var element = element
        let property = NSFetchedPropertyDescription()
        try element.takeCommon(into: property)
        property.isTransient = true
        property.notes = element.notes
        note(element)
        properties.append(property)
        assembly.note(line: element.line, of: property)
        return .property(property)
    }

    func openFetch(_ element: SourceElement, of property: NSPropertyDescription) throws -> Context {
        var element = element
        guard let property = property as? NSFetchedPropertyDescription else {
            throw element.malformed("<fetchRequest> stands in a property that is not fetched")
        }
        _ = element.take("name")
        property.fetchRequestTemplate = try element.takeTemplate()
        property.notes += element.notes
        note(element)
        return .leaf
    }

    func openTemplate(_ element: SourceElement) throws -> Context {
        var element = element
        let name = try element.takeRequired("name")
        let template = try element.takeTemplate()
        guard assembly.templates.updateValue(template, forKey: name) == nil else {
            throw element.malformed("there are two fetch requests named '\(name)'")
        }
        note(element)
        if assembly.notes.count < 100 { assembly.notes += element.notes.map { "fetchRequest \(name): \($0)" } }
        return .leaf
    }
}

extension SourceElement {
    /// Takes what all kinds of property have.
    mutating func takeCommon(into property: NSPropertyDescription) throws {
        property.name = try takeRequired("name")
        property.isOptional = try takeFlag("optional") ?? false
        property.isTransient = try takeFlag("transient") ?? false
        property.isIndexed = try takeFlag("indexed") ?? false
        property.isIndexedBySpotlight = try takeFlag("spotlightIndexingEnabled") ?? false
        property.isStoredInExternalRecord = try takeFlag("storedInTruthFile") ?? false
        property.declaredRenamingIdentifier = takeText("elementID")
        property.versionHashModifier = takeText("versionHashModifier")
        property.isSyncable = try takeFlag("syncable") ?? true
    }

    mutating func takeDeleteRule() throws -> NSDeleteRule {
        switch take("deletionRule") {
        case "Nullify", nil: .nullifyDeleteRule
        case "Cascade": .cascadeDeleteRule
        case "Deny": .denyDeleteRule
        case "No Action": .noActionDeleteRule
        case let other?: throw malformed("<relationship> has the unknown delete rule '\(other)'")
        }
    }

    /// Takes a fetch; flags that are absent have the value that suits the kind of result.
    ///
    /// Source: compiled models, where a fetch of dictionaries leaves out pending changes and one of identifiers the values.
    mutating func takeTemplate() throws -> FetchRequestTemplate {
        var template = FetchRequestTemplate(
            entityName: takeText("entity"), predicateFormat: takeText("predicateString"))
        template.resultType = try takeInteger("resultType") ?? 0
        template.fetchLimit = max(0, try takeInteger("fetchLimit") ?? 0)
        template.fetchBatchSize = max(0, try takeInteger("fetchBatchSize") ?? 0)
        template.includesSubentities = try takeFlag("includeSubentities") ?? true
        template.includesPropertyValues = try takeFlag("includePropertyValues") ?? (template.resultType != 1)
        template.includesPendingChanges = try takeFlag("includesPendingChanges") ?? (template.resultType != 2)
        template.returnsObjectsAsFaults = try takeFlag("returnObjectsAsFaults") ?? true
        template.returnsDistinctResults = try takeFlag("returnDistinctResults") ?? false
        return template
    }
}
