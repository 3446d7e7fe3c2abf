import CoreData

/// `GET /stores/{store}/objects/{entity}/{key}/related/{name}`: the objects in a relationship or fetched property.
struct RelatedPage: Page {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/related/{name}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let related = RelatedObjects(
            owner: call.objectName, property: call.parameters["name"] ?? "",
            offset: try call.number("offset", default: 0, in: 0...Int(Int32.max)),
            limit: try call.number("limit", default: 100, in: 1...1_000),
            sort: call.query["sort"].flatMap { $0.isEmpty ? nil : $0 })
        let (keys, choices) = (call.query["keys"], try call.kindChoices)
        return .json(
            try await call.readObjects { reading in
                let (members, entity) = try related.found(reading)
                let columns = try ListColumns(keys, of: entity)
                let rows = try RowReport(columns, of: entity, choices, reading).rows(members.ids, entity, with: reading)
                return .object([
                    ("total", .count(members.total)), ("entity", .text(entity.name)), ("columns", columns.json),
                    ("rows", .array(rows)),
                ])
            })
    }
}
