import CoreData

/// What `fetch` asks for, checked along the model before the store is asked.
package struct ObjectQuery {
    package let entity: NSEntityDescription
    package var predicate: NSPredicate?
    /// Comparisons in the predicate that can never be, since a value is of another kind than the attribute.
    package let notes: [String]
    package private(set) var sortDescriptors: [NSSortDescriptor]
    /// No limit when 0.
    package let limit: Int
    package let offset: Int

    /// Checks a question about objects of an entity.
    ///
    /// `sort` is a list of paths with commas, `-` before a path turns its order around; `rank` stands for how well objects
    /// match the words of `search`. Literals of the predicate are read
    /// by the types that they are compared with; addresses of objects need the store.
    /// - Throws: `InspectionError`: `badPredicate` with the place in the text, `unknownKey`, or `noObject` for an address.
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

    /// The query with objects that are equal in its order in the order of their keys, so that windows fit together.
    package var withFixedOrder: ObjectQuery {
        var query = self
        query.sortDescriptors.append(NSSortDescriptor(key: "self", ascending: true))
        return query
    }

    /// Objects that have all words in one text attribute: in one that is marked for search, where any is.
    private static func search(_ words: String, _ entity: NSEntityDescription) -> NSPredicate {
        .search(words, in: searchedKeys(entity))
    }

    private static func searchedKeys(_ entity: NSEntityDescription) -> [String] {
        let texts = entity.attributesByName.filter { $0.value.canBeSearchIndexed }
        let marked = texts.filter(\.value.isMarkedForSearch)
        return (marked.isEmpty ? texts : marked).keys.sorted()
    }

    /// The parts of a list with commas; none for nil or an empty text.
    package static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The predicate of a text.
    ///
    /// - Throws: `InspectionError` of code `badPredicate` with the place.
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

    /// What a part of the order means; `rank`, the best first, is that of the search, unless an attribute has the name.
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
