import CoreData

/// `GET /`: the stores, applications and models that are shown.
struct StoreListPage: ViewPage {
    let route = Route("GET /")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let apps = call.apps.map { app in
            JSONValue.object([
                ("id", .string(app.id)), ("title", .string(app.title)), ("store", .string(app.store.id)),
                ("problems", .count(app.problems.count)),
            ])
        }
        let models = call.browser.models.shown.map { model in
            JSONValue.object([
                ("id", .string(model.id)), ("name", .string(model.name)), ("path", .text(model.url?.path)),
                ("editable", .bool(model.reasonAgainstEditing == nil)),
                ("unsaved", .bool(!model.unsavedNames.isEmpty)),
            ])
        }
        return .json(
            .object([
                ("stores", .array(call.browser.shown.map(\.summary) + call.browser.closed.map(\.summary))),
                ("apps", .array(apps)),
                ("models", .array(models)),
            ]))
    }
}

extension BrowsedStore {
    /// `{"id", "name", "path", "model", "type", "uuid", "writing", "problems"}`
    var summary: JSONValue {
        let opened = opened
        let problems = (fileFailure.map { [$0.description] } ?? []) + opened.problems
        return .object([
            ("id", .string(id)), ("name", .string(name)), ("path", .text(file?.place)),
            ("model", .text(model?.path)), ("type", .string(opened.store.type)),
            ("uuid", .text(opened.store.identifier)),
            ("writing", .bool(opened.isWriting)), ("switchable", .bool(file != nil)),
            ("problems", .array(problems.map { .string($0) })),
        ])
    }
}
