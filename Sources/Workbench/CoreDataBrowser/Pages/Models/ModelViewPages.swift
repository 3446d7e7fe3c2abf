import CoreData
import CoreDataModelEditing

/// `GET /models/{model}`: the items of a version with what is stated of them; with `since`, what differs from that revision.
struct ModelViewPage: ViewPage {
    let route = Route("GET /models/{model}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let since = call.query["since"] == nil ? nil : try call.number("since", default: 0, in: 0...Int(Int32.max))
        return try await call.answer { model, version in
            try model.with(version) { state, name in
                // A tab that begins is told what became of edits that were kept.
                let news = since == nil ? state.takeNews() : []
                return try model.report(state, version: name, revision: since, notes: news)
            }
        }
    }
}

/// `GET /models/{model}/items`: what can be set of the items whose names stand in lines in the query.
struct ModelItemsPage: Page {
    let route = Route("GET /models/{model}/items")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let items = try call.items
        return try await call.answer { model, version in
            try model.with(version) { state, _ in try ItemOptionReport(items, in: state.document).json() }
        }
    }
}

/// `GET /models/{model}/findings`: what a check finds in a version, with its repair.
struct ModelFindingsPage: Page {
    let route = Route("GET /models/{model}/findings")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.answer { model, version in try model.findingReport(version) }
    }
}

/// `GET /models/{model}/copy`: the edits that make items, as a text that can be pasted into another model.
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

/// `GET /models/{model}/compare`: the versions `from` and `to` beside each other, and whether a store can follow.
struct ModelComparisonPage: Page {
    let route = Route("GET /models/{model}/compare")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (old, new) = (call.query["from"], call.query["to"])
        return try await call.answer { model, _ in try model.comparison(from: old, to: new).json }
    }
}

/// `GET /models/{model}/predicate`: what is right and wrong with a predicate about an entity of the model, and its tree.
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

/// `GET /models/{model}/entities`: the entities as lists and forms have them, for what is built from a model.
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
    /// The items whose names stand in the lines of the query's `items`.
    fileprivate var items: [SourceItem] {
        get throws { try (query["items"] ?? "").split(separator: "\n").map { try SourceItem(String($0)) } }
    }
}
