import CoreData

/// What `fetch` asks for, checked along the model before the store is asked.
package struct ObjectQuery {
    package let entity: NSEntityDescription
    package let predicate: NSPredicate?
    package let sortDescriptors: [NSSortDescriptor]
    /// No limit when 0.
    package let limit: Int
    package let offset: Int

    /// Checks a question about objects of an entity.
    ///
    /// `sort` is a list of paths with commas, `-` before a path turns its order around.
    /// - Throws: `InspectionError`: `badPredicate` with the place in the text, or `unknownKey`.
    package init(
        _ entity: NSEntityDescription, where text: String? = nil, sort: String? = nil, limit: Int = 0, offset: Int = 0
    ) throws {
        self.entity = entity
        self.limit = limit
        self.offset = offset
        predicate = try text.map { try Self.predicate($0, entity) }
        sortDescriptors = try Self.list(sort).map { try Self.descriptor($0, entity) }
    }

    /// The parts of a list with commas; none for nil or an empty text.
    package static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func predicate(_ text: String, _ entity: NSEntityDescription) throws -> NSPredicate {
        let predicate: NSPredicate
        do {
            predicate = try NSPredicate(parsing: text)
        } catch let error as PredicateParseError {
            throw InspectionError(
                .badPredicate, "predicate",
                "at character \(error.position): found \(error.found), expected \(error.expected)",
                excerpt: error.excerpt)
        }
        try PredicateCheck(entity).check(predicate)
        return predicate
    }

    private static func descriptor(_ text: String, _ entity: NSEntityDescription) throws -> NSSortDescriptor {
        let isDescending = text.hasPrefix("-")
        let path = isDescending || text.hasPrefix("+") ? String(text.dropFirst()) : text
        let route = try KeyRoute(path, from: entity)
        guard case .attribute(let attribute) = route.end else {
            throw InspectionError(.unknownKey, path, "only attributes can be sorted by")
        }
        guard ![.transformable, .composite, .undefined].contains(AttributeKind(attribute)), !attribute.isTransient
        else {
            throw InspectionError(
                .unknownKey, path, "an attribute that is transient or of this type cannot be sorted by")
        }
        return NSSortDescriptor(key: path, ascending: !isDescending)
    }
}
