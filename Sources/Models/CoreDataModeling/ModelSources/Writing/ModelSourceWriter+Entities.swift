import CoreDataFoundation

extension ModelSourceWriter {
    mutating func element(for entity: NSEntityDescription) -> ModelElement {
        let name = entity.name ?? ""
        let className = entity.managedObjectClassName ?? "NSManagedObject"
        let values: [(String, String?)] = [
            ("name", name), ("representedClassName", className == "NSManagedObject" ? nil : className),
            ("isAbstract", yes(entity.isAbstract)), ("parentEntity", entity.superentity?.name),
            ("elementID", entity.declaredRenamingIdentifier), ("versionHashModifier", entity.versionHashModifier),
            ("coreSpotlightDisplayNameExpression", entity.coreSpotlightDisplayNameExpression?.formatString),
            ("syncable", entity.isSyncable ? "YES" : "NO"), ("codeGenerationType", entity.codeGenerationType),
        ]
        let properties = sorted(entity.ownProperties) { $0.name }
        var elements = properties.compactMap { $0 as? NSAttributeDescription }.map { element(for: $0) }
        elements += properties.compactMap { $0 as? NSRelationshipDescription }.map { element(for: $0) }
        elements += properties.compactMap { $0 as? NSFetchedPropertyDescription }.map { element(for: $0) }
        elements += groups(entity.compoundIndexNames, list: "compoundIndexes", group: "compoundIndex", member: "index")
        elements += entity.indexes.map { element(for: $0, of: name) }
        elements += groups(
            entity.uniquenessConstraintNames, list: "uniquenessConstraints", group: "uniquenessConstraint",
            member: "constraint")
        elements += userInfo(entity.userInfo, of: "'\(name)'")
        return make("entity", values: values, elements: elements)
    }

    /// Makes the element for groups of names, such as constraints and compound indexes; none if there are no groups.
    private mutating func groups(
        _ groups: [[String]], list: String, group: String, member: String
    ) -> [ModelElement] {
        guard !groups.isEmpty else { return [] }
        let elements = groups.map { names in
            make(group, values: [:], elements: names.map { make(member, values: [("value", $0)]) })
        }
        return [make(list, values: [:], elements: elements)]
    }

    private mutating func element(for index: NSFetchIndexDescription, of entity: String) -> ModelElement {
        let elements = index.elements.map { part in
            let computed = part.property as? NSExpressionDescription
            let expression = part.expressionText ?? computed?.expression?.formatString
            let type = part.expressionTypeName ?? computed.flatMap { typeName($0.expressionResultType) }
            if expression == nil, computed != nil {
                losses.append("an element without an expression of the fetch index '\(index.name)' of '\(entity)'")
            }
            return make(
                "fetchIndexElement",
                values: [
                    ("property", expression == nil ? part.propertyName : nil), ("expression", expression),
                    ("expressionType", expression == nil ? nil : type),
                    ("type", part.collationType == .rTree ? "RTree" : "Binary"),
                    ("order", part.isAscending ? "ascending" : "descending"),
                ])
        }
        return make(
            "fetchIndex",
            values: [("name", index.name), ("partialIndexPredicate", index.partialIndexPredicateFormat)],
            elements: elements)
    }

    /// Makes the element for a fetch request, without attributes that have the reader's defaults for the result type.
    mutating func element(
        for template: FetchRequestTemplate, named name: String, of owner: String
    ) -> ModelElement {
        if !template.sortKeys.isEmpty { losses.append("the sort order of \(owner)") }
        if template.fetchOffset != 0 { losses.append("the offset of \(owner)") }
        if template.hasUnreadablePredicate { losses.append("the predicate of \(owner), which has no text") }
        func flag(_ value: Bool, usually usual: Bool) -> String? { value == usual ? nil : value ? "YES" : "NO" }
        let isOfIdentifiers = template.resultType == 1
        let isOfDictionaries = template.resultType == 2
        return make(
            "fetchRequest",
            values: [
                ("name", name), ("entity", template.entityName), ("predicateString", template.predicateFormat),
                ("fetchLimit", template.fetchLimit == 0 ? nil : "\(template.fetchLimit)"),
                ("fetchBatchSize", template.fetchBatchSize == 0 ? nil : "\(template.fetchBatchSize)"),
                ("includeSubentities", flag(template.includesSubentities, usually: true)),
                ("includePropertyValues", flag(template.includesPropertyValues, usually: !isOfIdentifiers)),
                ("includesPendingChanges", flag(template.includesPendingChanges, usually: !isOfDictionaries)),
                ("returnObjectsAsFaults", flag(template.returnsObjectsAsFaults, usually: true)),
                ("returnDistinctResults", flag(template.returnsDistinctResults, usually: false)),
                ("resultType", template.resultType == 0 ? nil : "\(template.resultType)"),
            ])
    }
}
