import CoreData

/// `GET /stores/{store}`: a store, its present state and the entities of its model, without counts; and how many jobs
/// have not ended.
struct StorePage: ViewPage {
    let route = Route("GET /stores/{store}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let opened = store.opened.shown(to: call.access)
        let entities = opened.entities.map { entity in
            JSONValue.object([
                ("name", .text(entity.name)), ("superentity", .text(entity.superentity?.name)),
                ("abstract", .bool(entity.isAbstract)),
            ])
        }
        let jobs = call.seesJobs(of: store) ? call.browser.jobs.count(of: store.id) : 0
        return .json(
            .object([
                ("store", store.summary), ("state", .string(opened.version.text)), ("entities", .array(entities)),
                ("jobs", .count(jobs)),
            ]))
    }
}
