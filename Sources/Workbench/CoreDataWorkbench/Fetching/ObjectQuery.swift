import CoreData

/// A query for objects of an entity, checked against the model before it is sent to the store.
package struct ObjectQuery {
    package let entity: NSEntityDescription
    package var predicate: NSPredicate?
    /// Sentences about comparisons in the predicate that are never true, since the value is of another type than the
    /// attribute.
    package let notes: [String]
    package private(set) var sortDescriptors: [NSSortDescriptor]
    /// The greatest number of objects; 0 for no limit.
    package let limit: Int
    package let offset: Int

    /// Checks a query for objects of an entity.
    ///
    /// `sort` is a list of key paths, separated by commas; `-` before a path sorts in descending order, and `rank`
    /// sorts by how well objects match the words of `search`. Literals in the predicate are parsed as the types that
    /// they are compared with; addresses of objects require `store`.
    /// - Throws: `InspectionError`: `badPredicate` with the position in the text, `unknownKey`, or `noObject` for an
    ///   address.
    package init(
        _ entity: NSEntityDescription, in store: NSPersistentStore? = nil, where text: String? = nil,
        search: String? = nil,
        sort: String? = nil, limit: Int = 0, offset: Int = 0
    ) throws {
        self.entity = entity
        self.limit = limit
        self.offset = offset
        let ranks = search.map { words in
            { NSSortDescriptor.searchRank(of: words, in: Self.searchedKeys(entity), ascending: $0) }
        }
        let requested = try text.map {
            FetchPredicate(try Self.predicate($0, entity: entity, store: store), of: entity)
        }
        let parts = [search.map { Self.search($0, entity) }, requested?.predicate].compactMap { $0 }
        predicate = parts.count < 2 ? parts.first : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        notes = requested?.notes ?? []
        sortDescriptors = try Self.list(sort).map { try Self.descriptor($0, entity: entity, ranks: ranks) }
    }

    /// The query with the primary key as the last sort key, so that the order is total and windows neither overlap nor
    /// leave gaps.
    package var withFixedOrder: ObjectQuery {
        var query = self
        query.sortDescriptors.append(NSSortDescriptor(key: "self", ascending: true))
        return query
    }

    /// A predicate for objects that have all words in one string attribute; if any attribute is marked for search, only
    /// these are searched.
    private static func search(_ words: String, _ entity: NSEntityDescription) -> NSPredicate {
        .search(words, in: searchedKeys(entity))
    }

    private static func searchedKeys(_ entity: NSEntityDescription) -> [String] {
        let texts = entity.attributesByName.filter { $0.value.canBeSearchIndexed }
        let marked = texts.filter(\.value.isMarkedForSearch)
        return (marked.isEmpty ? texts : marked).keys.sorted()
    }

    /// The parts of a list that is separated by commas; empty for nil or an empty text.
    package static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Parses a predicate.
    ///
    /// - Throws: `InspectionError` of code `badPredicate` with the position.
    package static func parsed(_ text: String) throws -> NSPredicate {
        do {
            return try NSPredicate(parsing: text)
        } catch let error as PredicateParseError {
            throw InspectionError(
                .badPredicate, subject: "predicate",
                cause: "at character \(error.position + 1): found \(error.found), expected \(error.expected)",
                excerpt: error.excerpt)
        }
    }

    private static func predicate(
        _ text: String, entity: NSEntityDescription, store: NSPersistentStore?
    ) throws -> NSPredicate {
        let predicate = try parsed(text)
        try PredicateCheck(entity).check(predicate)
        return try PredicateLiterals.typed(predicate, of: entity) { try store?.objectID(at: $0) }
    }

    /// The sort descriptor of a part of `sort`. `rank` means the rank of the search, the best first, unless a property
    /// has this name.
    private static func descriptor(
        _ text: String, entity: NSEntityDescription, ranks: ((_ ascending: Bool) -> NSSortDescriptor)?
    ) throws -> NSSortDescriptor {
        let isDescending = text.hasPrefix("-")
        let path = isDescending || text.hasPrefix("+") ? String(text.dropFirst()) : text
        if path == "rank", entity.propertiesByName[path] == nil {
            guard let ranks else {
                throw InspectionError(
                    .unknownKey, subject: path, cause: "only the results of a search have a rank",
                    hint: "give --search WORDS")
            }
            return ranks(isDescending)
        }
        let route = try KeyRoute(path, from: entity)
        guard let attribute = route.attribute else {
            throw InspectionError(.unknownKey, subject: path, cause: "only attributes can be sorted by")
        }
        var isStored = !attribute.isTransient
        if case .element(_, _, let composite) = route.end { isStored = !composite.isTransient }
        guard ![.transformable, .composite, .undefined].contains(AttributeKind(attribute)), isStored else {
            throw InspectionError(
                .unknownKey, subject: path, cause: "an attribute that is transient or of this type cannot be sorted by")
        }
        return NSSortDescriptor(key: path, ascending: !isDescending)
    }
}
