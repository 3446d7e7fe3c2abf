import CoreData
import CoreDataModelEditing

/// `GET /models/{model}`: the items of a version with their stated options; with `since`, the differences from that
/// revision.
struct ModelViewPage: ViewPage {
    let route = Route("GET /models/{model}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let since = call.query["since"] == nil ? nil : try call.number("since", default: 0, in: 0...Int(Int32.max))
        return try await call.answer { model, version in
            try model.with(version) { state, name in
                // A new tab gets the messages about edits that were restored at the start.
                let news = since == nil ? state.takeNews() : []
                return try model.report(state, version: name, revision: since, notes: news)
            }
        }
    }
}

/// `GET /models/{model}/items`: the options of the items that the query names, one a line.
struct ModelItemsPage: Page {
    let route = Route("GET /models/{model}/items")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let items = try call.items
        return try await call.answer { model, version in
            try model.with(version) { state, _ in try ItemOptionReport(items, in: state.document).json() }
        }
    }
}

/// `GET /models/{model}/findings`: the findings of a check of a version, with the edits that repair them.
struct ModelFindingsPage: Page {
    let route = Route("GET /models/{model}/findings")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.answer { model, version in try model.findingReport(version) }
    }
}

/// `GET /models/{model}/copy`: the edits that create the items, as text that can be pasted into another model.
struct ModelCopyPage: Page {
    let route = Route("GET /models/{model}/copy")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let items = try call.items
        return try await call.answer { model, version in
            try model.with(version) { state, _ in
                let edits = try state.document.edits(making: items)
                return .object([("text", .string(edits.map(\.description).joined(separator: "\n")))])
            }
        }
    }
}

/// `GET /models/{model}/compare`: the differences of the versions `from` and `to`, and whether a store can be migrated.
struct ModelComparisonPage: Page {
    let route = Route("GET /models/{model}/compare")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (old, new) = (call.query["from"], call.query["to"])
        return try await call.answer { model, _ in try model.comparison(from: old, to: new).json }
    }
}

/// `GET /models/{model}/predicate`: whether a predicate about an entity of the model is valid, its error, and its tree.
struct ModelPredicatePage: Page {
    let route = Route("GET /models/{model}/predicate")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let text = call.query["where"] ?? ""
        let caret = call.query["caret"] == nil ? nil : try call.number("caret", default: 0, in: 0...Int(Int32.max))
        let report = PredicateReport(entity: call.query["entity"] ?? "", text: text, caret: caret)
        let source = call.query["source"]
        return try await call.answer { model, version in
            try report.json(in: model.modelVersion(version).model, source: source)
        }
    }
}

/// `GET /models/{model}/entities`: the entities with the members that lists and forms use.
struct ModelEntitiesPage: Page {
    let route = Route("GET /models/{model}/entities")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.answer { model, version in
            let entities = try model.modelVersion(version).model.entities
            let named = entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
            return .object([("entities", .array(named.map(\.browserReport)))])
        }
    }
}

extension PageCall {
    /// The items that `items` of the query names, one a line.
    fileprivate var items: [SourceItem] {
        get throws { try (query["items"] ?? "").split(separator: "\n").map { try SourceItem(String($0)) } }
    }
}
