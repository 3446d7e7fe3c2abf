import CoreData

/// The request for a map that the query of an address describes.
struct MapQuestion: Sendable {
    let query: [String: String]
    let zoom: Int?

    /// The map of the objects that the user may see.
    ///
    /// - Throws: `InspectionError` that says which part is invalid; `BrowserFailure` 400 without an entity, 503 for a
    ///   request that takes too long.
    func map(_ reading: StoreReading) throws -> ObjectMap {
        let opened = reading.opened
        guard let name = query["entity"], !name.isEmpty else {
            throw BrowserFailure.badRequest("'entity' is missing", hint: "such as entity=Place")
        }
        let question = try MapRequest(
            opened.entity(named: name), in: opened.store, where: query["where"],
            latitude: query["latitude"].flatMap { $0.isEmpty ? nil : $0 }, box: query["box"], zoom: zoom)
        let predicate = reading.limited(question.query).predicate
        return try reading.inTime(hint: "ask for fewer objects by a condition or a box") {
            try reading.context.map(of: question, with: predicate, in: opened.store)
        }
    }
}
