import CoreData

/// `GET /apps/{app}/reports/{entity}/{key}/{name}`: the objects of a fetched property, evaluated at each call.
struct AppReportPage: ViewPage {
    let route = Route("GET /apps/{app}/reports/{entity}/{key}/{name}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let app = try call.app
        let object = "\(call.parameters["entity"] ?? "")/\(call.parameters["key"] ?? "")"
        let name = call.parameters["name"] ?? ""
        let (sort, language) = (call.query["sort"], call.language)
        let offset = try call.number("offset", default: 0, in: 0...Int(Int32.max))
        let limit = try call.number("limit", default: 100, in: 1...1_000)
        return .json(
            try await app.store.read(for: call.access) { reading in
                let answer = try ReportAnswer(
                    app, object: object, property: name, sort: sort, language: language, reading)
                return try answer.json(offset: offset, limit: limit)
            })
    }
}
