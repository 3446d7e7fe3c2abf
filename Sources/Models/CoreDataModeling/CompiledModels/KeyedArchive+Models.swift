import CoreDataFoundation

/// Decodes what archives of models contain besides descriptions.
extension KeyedArchive {
    /// Reads the archive of a model, of up to the size allowed for models.
    init(model data: Data) throws {
        var limits = PropertyListLimits()
        limits.bytes = BoundedFile.greatestModelSize
        self = try ModelingError.ofArchive { try KeyedArchive(data, limits: limits) }
    }

    /// The root object of the archive.
    ///
    /// - Throws: `ModelingError` if the root object is missing or of another class than the one of `subject`.
    func rootObject(ofClass name: String, _ subject: String) throws -> Object {
        guard let root = object(root) else { throw ModelingError(.malformed, "the archive is empty") }
        guard root.className == name else {
            throw ModelingError(.unexpectedClass, "the archive is of '\(root.className)', not of \(subject)")
        }
        return root
    }
}

extension KeyedArchive {
    /// Decodes a user info: values by string keys, nested within the limits.
    func userInfo(_ value: PropertyList?) -> [AnyHashable: Any] {
        var budget = 100_000
        return nestedPairs(value, depth: 0, &budget) ?? [:]
    }

    private func nestedPairs(_ value: PropertyList?, depth: Int, _ budget: inout Int) -> [AnyHashable: Any]? {
        guard let pairs = pairs(value) else { return nil }
        var info: [AnyHashable: Any] = [:]
        for pair in pairs {
            guard let key = string(pair.key) else { continue }
            info[key] = nestedValue(pair.value, depth: depth + 1, &budget)
        }
        return info
    }

    /// Depth and number of values are bounded, since objects of an archive may be shared and may contain themselves.
    private func nestedValue(_ value: PropertyList, depth: Int, _ budget: inout Int) -> Any? {
        budget -= 1
        guard depth < 32, budget > 0 else { return nil }
        if let elements = elements(value) {
            return elements.compactMap { nestedValue($0, depth: depth + 1, &budget) }
        }
        return nestedPairs(value, depth: depth, &budget) ?? plainValue(value, as: .undefinedAttributeType)
    }

    /// Decodes a default value: a number, text, date, data, URL or UUID; nil for anything else.
    func plainValue(_ value: PropertyList?, as type: NSAttributeType) -> Any? {
        guard case .integer(let number) = resolve(value), type == .booleanAttributeType else {
            return plainValue(value)
        }
        return NSNumber(value: number != 0)
    }

    /// Decodes a fetch request. Source: the flags of requests whose sources are known; 1 distinct, 2 subentities, 4
    /// property values, 8 faults, 16 pending changes.
    func template(_ object: Object) -> FetchRequestTemplate {
        let fields = object.fields
        let entity = self.object(fields["NSEntity"]).flatMap { string($0.fields["NSEntityName"]) }
        var template = FetchRequestTemplate(
            entityName: entity ?? string(fields["NSEntityName"]),
            predicateFormat: predicateFormat(fields["NSPredicate"]))
        template.hasUnreadablePredicate = template.predicateFormat == nil && self.object(fields["NSPredicate"]) != nil
        template.resultType = max(0, integer(fields["NSResultType"]) ?? 0)
        template.fetchLimit = max(0, integer(fields["NSFetchLimit"]) ?? 0)
        template.fetchOffset = max(0, integer(fields["NSFetchOffset"]) ?? 0)
        template.fetchBatchSize = max(0, integer(fields["NSBatchSize"]) ?? 0)
        template.sortKeys = (elements(fields["NSSortDescriptors"]) ?? []).compactMap(sortKey)
        guard boolean(fields["NSHasFetchRequestFlags"]), let flags = integer(fields["NSFetchRequestFlags"]) else {
            return template
        }
        template.returnsDistinctResults = flags & 1 != 0
        template.includesSubentities = flags & 2 != 0
        template.includesPropertyValues = flags & 4 != 0
        template.returnsObjectsAsFaults = flags & 8 != 0
        template.includesPendingChanges = flags & 16 != 0
        return template
    }

    private func sortKey(_ value: PropertyList) -> FetchRequestTemplate.SortKey? {
        guard let object = object(value), let key = string(object.fields["NSKey"]) else { return nil }
        let selector = string(object.fields["NSSelector"])
        return .init(
            key: key, ascending: boolean(object.fields["NSAscending"]),
            selector: selector == "compare:" ? nil : selector)
    }
}
