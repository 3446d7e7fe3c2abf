import CoreData

/// `GET /stores/{store}/console`: objects of an entity in groups, as JSON, CSV or a drawing.
struct ConsolePage: ViewPage {
    let route = Route("GET /stores/{store}/console")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let question = ConsoleRequest(
            query: call.query,
            limit: try call.number("limit", default: SummaryRequest.usualRows, in: 1...SummaryRequest.mostRows))
        let form = call.query["format"] ?? "json"
        return try await call.store.read(for: call.access) { reading in
            let summary = try question.summary(reading)
            switch form {
            case "csv": return .file(summary.csv, "text/csv", name: "result.csv")
            case "svg": return .file(try ChartDrawing(summary).svg, "image/svg+xml", name: "chart.svg")
            default: return .json(summary.json)
            }
        }
    }
}
