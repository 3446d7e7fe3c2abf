import Foundation

/// The service: records of several spaces, in memory, with a version each that is also its ETag.
///
/// | request | answer |
/// |---|---|
/// | `GET /SPACE/metadata`, `PUT` | what the space says of itself |
/// | `POST /SPACE/names?count=N` | numbers for new records, never given again |
/// | `GET /SPACE/records/ROOT?limit&offset&entities&ids&field&value` | a page of records, and how many there are |
/// | `GET /SPACE/records/ROOT/ID` | one record with its ETag |
/// | `PUT /SPACE/records/ROOT/ID` | writes; 412 unless `If-Match` or `If-None-Match: *` holds |
/// | `DELETE /SPACE/records/ROOT/ID` | deletes; 412 unless `If-Match` holds |
final class RecordService: @unchecked Sendable {
    private struct Record {
        var entity: String
        var fields: [String: Any]
        var version: Int
    }

    private struct Space {
        var metadata: Data?
        var lastName = 0
        var records: [String: [Int: Record]] = [:]
    }

    private let lock = NSLock()
    private var spaces: [String: Space] = [:]
    private var lines: [String] = []
    /// Refuses every write with this reason, as a service does that is out of order.
    private var refusal: String?

    /// The requests since the last call, as method, path and query.
    func takeLog() -> [String] {
        lock.withLock {
            defer { lines = [] }
            return lines
        }
    }

    func refuseWrites(_ reason: String?) { lock.withLock { refusal = reason } }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        lock.withLock {
            let query = request.query.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "&")
            lines.append(
                "\(request.method) \(request.path.dropFirst().joined(separator: "/"))\(query.isEmpty ? "" : "?")\(query)"
            )
            if let refusal, request.method != "GET" { return .refusal(503, refusal) }
            guard request.path.count >= 2 else { return .refusal(404, "There is nothing here.") }
            let space = request.path[0]
            switch (request.method, request.path[1], request.path.count) {
            case ("GET", "metadata", 2):
                guard let metadata = spaces[space]?.metadata else { return .refusal(404, "The space is new.") }
                return HTTPResponse(body: metadata)
            case ("PUT", "metadata", 2):
                spaces[space, default: Space()].metadata = request.body
                return HTTPResponse()
            case ("POST", "names", 2): return names(space, request)
            case ("GET", "records", 3): return page(space, request)
            case (_, "records", 4): return one(space, request)
            default: return .refusal(404, "There is nothing here.")
            }
        }
    }

    private func names(_ space: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let count = Int(request.query["count"] ?? ""), (1...1_000_000).contains(count) else {
            return .refusal(400, "A count from 1 to 1000000 is wanted.")
        }
        let first = (spaces[space]?.lastName ?? 0) + 1
        spaces[space, default: Space()].lastName += count
        return .json(["first": first])
    }

    private func page(_ space: String, _ request: HTTPRequest) -> HTTPResponse {
        var found = (spaces[space]?.records[request.path[2]] ?? [:]).sorted { $0.key < $1.key }
        if let entities = request.query["entities"]?.components(separatedBy: ",") {
            found = found.filter { entities.contains($0.value.entity) }
        }
        if let ids = request.query["ids"]?.split(separator: ",").compactMap({ Int($0) }) {
            let wanted = Set(ids)
            found = found.filter { wanted.contains($0.key) }
        }
        if let field = request.query["field"], let value = request.query["value"] {
            found = found.filter { record in
                record.value.fields[field] as? String == value
                    || (record.value.fields[field] as? [Any])?.contains { $0 as? String == value } == true
            }
        }
        let total = found.count
        let start = min(max(0, Int(request.query["offset"] ?? "") ?? 0), total)
        let limit = max(0, Int(request.query["limit"] ?? "") ?? total)
        return .json(["total": total, "records": found[start...].prefix(limit).map { Self.json($0.key, $0.value) }])
    }

    private static func json(_ id: Int, _ record: Record) -> [String: Any] {
        ["id": id, "entity": record.entity, "fields": record.fields, "version": record.version]
    }

    private func one(_ space: String, _ request: HTTPRequest) -> HTTPResponse {
        let root = request.path[2]
        guard let id = Int(request.path[3]) else { return .refusal(404, "A record has a number.") }
        let present = spaces[space]?.records[root]?[id]
        guard request.method != "GET" else {
            guard let present else { return .refusal(404, "There is no record \(id).") }
            return .json(Self.json(id, present), headers: ["ETag": "\"\(present.version)\""])
        }
        let isExpected =
            request.headers["if-none-match"] == "*"
            ? present == nil : request.headers["if-match"].map { $0 == "\"\(present?.version ?? 0)\"" } ?? true
        guard isExpected else { return .refusal(412, "The record \(id) was changed meanwhile.") }
        if request.method == "DELETE" {
            spaces[space]?.records[root]?[id] = nil
            return HTTPResponse()
        }
        guard request.method == "PUT",
            let body = (try? JSONSerialization.jsonObject(with: request.body)) as? [String: Any],
            let entity = body["entity"] as? String, let fields = body["fields"] as? [String: Any]
        else { return .refusal(400, "A record has an entity and fields.") }
        let version = (present?.version ?? 0) + 1
        spaces[space, default: Space()].records[root, default: [:]][id] = Record(
            entity: entity, fields: fields, version: version)
        return .json(["version": version], headers: ["ETag": "\"\(version)\""])
    }
}
