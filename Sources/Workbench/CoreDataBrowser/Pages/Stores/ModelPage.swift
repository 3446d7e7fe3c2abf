import CoreData

/// `GET /stores/{store}/model`: the entities with their properties, and the fetch request templates of the model.
struct ModelPage: ViewPage {
    let route = Route("GET /stores/{store}/model")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let opened = try call.store.opened.shown(to: call.access)
        return .json(
            .object([
                ("entities", .array(opened.entities.map(\.browserReport))),
                ("templates", .array(opened.model.templateReports)),
            ]))
    }
}
