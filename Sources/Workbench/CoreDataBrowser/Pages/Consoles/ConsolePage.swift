import CoreData

/// `GET /stores/{store}/console`: the objects of an entity in groups, as JSON, CSV or a drawing.
struct ConsolePage: ViewPage {
    let route = Route("GET /stores/{store}/console")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let question = ConsoleRequest(
            query: call.query,
            limit: try call.number("limit", default: SummaryRequest.usualRows, in: 1...SummaryRequest.mostRows))
        let form = call.query["format"] ?? "json"
        let drawn = call.query["drawing"] == "yes"
        let width = try call.number("width", default: ChartDrawing.usualWidth, in: ChartDrawing.widths)
        return try await call.store.read(for: call.access) { reading in
            let summary = try question.summary(reading)
            switch form {
            case "csv": return .file(summary.csv, "text/csv", name: "result.csv")
            case "svg": return .file(try ChartDrawing(summary, width: width).svg, "image/svg+xml", name: "chart.svg")
            default: return .json(drawn ? Self.withDrawing(summary, width) : summary.json)
            }
        }
    }

    /// The rows with their drawing, so that one query of the store serves both.
    private static func withDrawing(_ summary: ObjectSummary, _ width: Int) -> JSONValue {
        guard case .members(let members) = summary.json, summary.kind != .table, !summary.rows.isEmpty else {
            return summary.json
        }
        do {
            let drawing = try ChartDrawing(summary, width: width).svg
            return .members(members + [.init(key: "drawing", value: .string(drawing))])
        } catch {
            let failure = BrowserFailure(error)
            let problem = JSONValue.object([("reason", .string(failure.reason)), ("hint", .text(failure.hint))])
            return .members(members + [.init(key: "drawingProblem", value: problem)])
        }
    }
}
