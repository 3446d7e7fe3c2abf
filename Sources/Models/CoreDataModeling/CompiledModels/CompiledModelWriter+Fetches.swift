import CoreDataFoundation

extension CompiledModelWriter {
    /// - Throws: `ModelingError` if the predicate could not be read or does not parse: the request would fetch all
    ///   objects.
    mutating func write(_ template: FetchRequestTemplate) throws -> PropertyList {
        guard !template.hasUnreadablePredicate else {
            throw ModelingError(
                .unsupportedForm, "a fetch of '\(template.entityName ?? "?")' has a predicate that is not understood")
        }
        var fields: [String: PropertyList] = [
            "NSEntity": reference(toEntityNamed: template.entityName), "NSPredicate": ArchiveBuilder.null,
            "NSSortDescriptors": sortDescriptors(template.sortKeys), "NSHasFetchRequestFlags": .boolean(true),
            "NSFetchRequestFlags": .integer(flags(of: template)), "NSResultType": .integer(Int64(template.resultType)),
            "NSFetchLimit": .integer(Int64(template.fetchLimit)),
            "NSFetchOffset": .integer(Int64(template.fetchOffset)),
            "NSBatchSize": .integer(Int64(template.fetchBatchSize)), "NSAllocationType": .integer(0),
        ]
        for key in [
            "NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate", "NSRelationshipKeyPathsForPrefetching",
        ] {
            fields[key] = ArchiveBuilder.null
        }
        if let format = template.predicateFormat {
            fields["NSPredicate"] = try predicate(parsing: format, of: "a fetch of '\(template.entityName ?? "?")'")
        }
        return archive.add("NSFetchRequest", fields)
    }

    private func flags(of template: FetchRequestTemplate) -> Int64 {
        let bits: [(Int64, Bool)] = [
            (1, template.returnsDistinctResults), (2, template.includesSubentities),
            (4, template.includesPropertyValues), (8, template.returnsObjectsAsFaults),
            (16, template.includesPendingChanges),
        ]
        return bits.reduce(0) { $1.1 ? $0 | $1.0 : $0 }
    }

    private mutating func sortDescriptors(_ keys: [FetchRequestTemplate.SortKey]) -> PropertyList {
        guard !keys.isEmpty else { return ArchiveBuilder.null }
        return archive.collection(
            "NSArray",
            keys.map { key in
                archive.sortDescriptor(
                    key: key.key, ascending: key.ascending, selector: key.selector ?? "compare:")
            })
    }
}
