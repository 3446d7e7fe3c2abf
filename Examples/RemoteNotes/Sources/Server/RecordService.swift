import Foundation
import LoopbackService

/// The service: records of several spaces, in memory, with a version each that is also its ETag.
///
/// | request | answer |
/// |---|---|
/// | `GET /SPACE/metadata`, `PUT` | what the space says of itself |
/// | `POST /SPACE/names?count=N` | numbers for new records, never given again |
/// | `GET /SPACE/records/ROOT?limit&offset&entities&ids&field&value` | a page of records, and how many there are |
/// | `GET /SPACE/records/ROOT/ID` | one record with its ETag |
/// | `POST /SPACE/changes` | writes and deletes all records that it names, or none: see `Change` |
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
            case ("GET", "records", 4): return one(space, request)
            case ("POST", "changes", 2): return change(space, request)
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
        guard let id = Int(request.path[3]), let present = spaces[space]?.records[request.path[2]]?[id] else {
            return .refusal(404, "There is no record \(request.path[3]).")
        }
        return .json(Self.json(id, present), headers: ["ETag": "\"\(present.version)\""])
    }

    // MARK: Writing

    /// One of the changes that come together: `root` and `id` name the record, `entity` and `fields` are what it has from now on,
    /// and a change without them deletes it. `version` is the one that it must have, 0 for a record that must be new.
    private struct Change {
        let root: String
        let id: Int
        let record: (entity: String, fields: [String: Any])?
        let version: Int?

        init?(_ object: [String: Any]) {
            func number(_ key: String) -> Int? { (object[key] as? NSNumber)?.intValue ?? object[key] as? Int }
            guard let root = object["root"] as? String, let id = number("id") else { return nil }
            (self.root, self.id, version) = (root, id, number("version"))
            guard object["entity"] != nil || object["fields"] != nil else {
                record = nil
                return
            }
            guard let entity = object["entity"] as? String, let fields = object["fields"] as? [String: Any] else {
                return nil
            }
            record = (entity, fields)
        }
    }

    /// Carries changes out together: the new versions come back in their order, 0 for a deletion; where records have other versions
    /// than they must, nothing is written, and `conflicts` are the places of their changes.
    private func change(_ space: String, _ request: HTTPRequest) -> HTTPResponse {
        let body = (try? JSONSerialization.jsonObject(with: request.body)) as? [String: Any]
        guard let objects = body?["changes"] as? [[String: Any]] else {
            return .refusal(400, "A list of changes is wanted.")
        }
        let changes = objects.compactMap(Change.init)
        guard changes.count == objects.count else {
            return .refusal(400, "A change has a root and an id, an entity and fields.")
        }
        let records = spaces[space]?.records ?? [:]
        let conflicts = changes.indices.filter { place in
            let change = changes[place]
            return change.version.map { $0 != records[change.root]?[change.id]?.version ?? 0 } ?? false
        }
        guard conflicts.isEmpty else {
            return .json(["reason": "Records were changed meanwhile.", "conflicts": conflicts], status: 412)
        }
        let versions = changes.map { change -> Int in
            let version = (spaces[space]?.records[change.root]?[change.id]?.version ?? 0) + 1
            let record = change.record.map { Record(entity: $0.entity, fields: $0.fields, version: version) }
            spaces[space, default: Space()].records[change.root, default: [:]][change.id] = record
            return record == nil ? 0 : version
        }
        return .json(["versions": versions])
    }
}
