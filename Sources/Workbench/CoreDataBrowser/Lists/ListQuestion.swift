import CoreData

/// Which objects a list has and in what order, as the query of an address says it.
package struct ListQuestion: Hashable, Sendable {
    package let entity: String
    package let predicate: String?
    package let search: String?
    package let sort: String?
    /// What is hidden from the user, since users who may see different parts get different lists.
    var hidden: HiddenParts?

    /// Makes a question from the query of a call.
    ///
    /// A list with sections is sorted first by the key of the sections.
    package init(_ entity: String, _ query: [String: String]) {
        self.entity = entity
        predicate = Self.given(query["where"])
        search = Self.given(query["search"])
        var keys = ObjectQuery.list(query["sort"])
        if let section = Self.given(query["section"]), keys.first.map({ $0 == section || $0 == "-" + section }) != true
        {
            keys.insert(section, at: 0)
        }
        sort = keys.isEmpty ? nil : keys.joined(separator: ",")
    }

    private static func given(_ text: String?) -> String? {
        text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// The question checked against the model; objects that compare equal are sorted by their primary keys.
    ///
    /// - Throws: `InspectionError`.
    package func query(_ reading: StoreReading, limit: Int = 0, offset: Int = 0) throws -> ObjectQuery {
        let query = try ObjectQuery(
            reading.opened.entity(named: entity), in: reading.opened.store, where: predicate, search: search,
            sort: sort, limit: limit, offset: offset)
        return reading.limited(query).withFixedOrder
    }
}
