import CoreData
import CoreDataJobs
import CoreDataSyncing

/// `POST /stores/{store}/sync/conflicts`: lists the attributes of which a value lost, as a job whose result is `{"conflicts", "count"}`.
struct SyncConflictPage: Page {
    /// How many are listed.
    private static let limit = 200
    let route = Route("POST /stores/{store}/sync/conflicts")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        return try call.started(
            call.syncPlan(of: store, asksPeers: false) { session, _ in
                let found = try await session.conflicts(limit: Self.limit)
                return .object([
                    ("conflicts", .array(found.conflicts.map(\.json))), ("count", .count(found.count)),
                ])
            }, in: store)
    }
}

/// `POST /stores/{store}/sync/restore`: puts a value that lost back, `{"object", "attribute", "transaction", "identity"}`, as a job.
struct SyncRestorePage: Page {
    let route = Route("POST /stores/{store}/sync/restore")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let parts = JSONParts(try await call.json())
        let (object, attribute) = (try parts.text("object"), try parts.text("attribute"))
        let (transaction, identity) = (try parts.text("transaction"), try parts.text("identity"))
        return try call.started(
            call.syncPlan(of: store, asksPeers: false) { session, opened in
                let identifier = try opened.objectID(at: object)
                let writes = try await session.why(identifier, attribute).writes
                guard let write = writes.first(where: { $0.transaction == transaction && $0.object == identity }) else {
                    throw BrowserFailure(
                        409, code: "unknownItem", reason: "the value is gone, since a later one replaced it",
                        hint: "list the conflicts again")
                }
                try await session.restore(write, of: identifier, attribute)
                return .object([("object", .string(object)), ("attribute", .string(attribute))])
            }, in: store)
    }
}
