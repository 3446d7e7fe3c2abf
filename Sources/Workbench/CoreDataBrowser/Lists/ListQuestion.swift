import CoreData

/// Which objects a list has and in what order, as addresses say it.
package struct ListQuestion: Hashable, Sendable {
    package let entity: String
    package let predicate: String?
    package let search: String?
    package let sort: String?
    /// What is hidden from who asks: the lists of users who may see different things are different.
    var hidden: HiddenParts?

    /// The question of a call's query.
    ///
    /// A list in sections is sorted by their values first.
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

    /// The question checked along the model, with equal objects in the order of their keys.
    ///
    /// - Throws: `InspectionError`.
    package func query(_ reading: StoreReading, limit: Int = 0, offset: Int = 0) throws -> ObjectQuery {
        let query = try ObjectQuery(
            reading.opened.entity(named: entity), in: reading.opened.store, where: predicate, search: search,
            sort: sort, limit: limit, offset: offset)
        return reading.limited(query).withFixedOrder
    }
}
