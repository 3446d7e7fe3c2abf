import CoreData

/// `GET /stores/{store}/sql`: the rows that a statement returns, as JSON, or as lines of CSV or of JSON.
struct SQLPage: ViewPage {
    let route = Route("GET /stores/{store}/sql")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let question = SQLQuery(
            sql: call.query["query"] ?? "", parameters: call.sqlParameters,
            limit: try call.number("limit", default: SQLQuery.usualRows, in: 1...SQLQuery.mostRows),
            time: .seconds(try call.number("timeout", default: 5, in: 1...600)))
        let answer = try await call.store.askSQL(for: call.access) { try $0.answer(question) }
        switch call.query["format"] {
        case "csv": return .file(answer.csv, "text/csv", name: "result.csv")
        case "jsonl":
            let lines = answer.objects.map { JSONWriter.line($0) + "\n" }.joined()
            return .file(lines, "application/jsonl", name: "result.jsonl")
        default: return .json(answer.json)
        }
    }
}

/// `GET /stores/{store}/sql/schema`: the tables and columns, with the entities and properties that they store.
struct SQLSchemaPage: Page {
    let route = Route("GET /stores/{store}/sql/schema")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        .json(try await call.store.askSQL(for: call.access) { try $0.names().json })
    }
}

/// `GET /stores/{store}/sql/check`: the parameters of a statement, or its error; the statement is not executed.
struct SQLCheckPage: Page {
    let route = Route("GET /stores/{store}/sql/check")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let sql = call.query["query"] ?? ""
        let report = try await call.store.askSQL(for: call.access) { console -> JSONValue in
            do {
                let names = try console.parameters(of: sql)
                return .object([
                    ("valid", .bool(true)), ("error", .null), ("parameters", .array(names.map { .string($0) })),
                ])
            } catch let error as SQLConsoleError {
                let problem: [(String, JSONValue)] = [
                    ("code", .string(error.code.rawValue)), ("reason", .string(error.reason)),
                    ("hint", .text(error.hint)), ("position", .count(error.position)),
                    ("excerpt", .text(error.excerpt)),
                ]
                return .object([("valid", .bool(false)), ("error", .object(problem)), ("parameters", .array([]))])
            }
        }
        return .json(report)
    }
}

extension PageCall {
    /// The values of parameters: the members of the query whose names are `p` and a parameter's name, such as `p:name`.
    fileprivate var sqlParameters: [String: String] {
        var parameters: [String: String] = [:]
        for (key, text) in query {
            guard key.first == "p", let sign = key.dropFirst().first, ":@$?".contains(sign) else { continue }
            parameters[String(key.dropFirst())] = text
        }
        return parameters
    }
}
