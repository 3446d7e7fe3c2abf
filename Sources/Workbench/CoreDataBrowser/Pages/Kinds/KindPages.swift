import CoreData
import CoreDataKinds

/// `GET /stores/{store}/kinds/{entity}`: the kinds of an entity's attributes, those that they may have, and what the model names
/// wrongly.
struct KindsPage: ViewPage {
    let route = Route("GET /stores/{store}/kinds/{entity}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (name, choices) = (call.parameters["entity"] ?? "", try call.kindChoices)
        return .json(
            try await call.store.read(for: call.access) { reading in
                let entity = try reading.opened.entity(named: name)
                let kinds = try reading.kinds(of: entity, choices)
                return .object([
                    ("uses", .array(kinds.uses.map(\.json))),
                    ("choices", .sorted(choices[name].mapValues { .string($0) })),
                    ("possible", kinds.possible(of: entity)),
                    ("problems", .array(kinds.problems.map { .string($0) })),
                ])
            })
    }
}

/// `POST /stores/{store}/kinds/{entity}/{key}`: the value to store for a text that was entered for an attribute with a kind.
///
/// `{"text"}` gives `{"value"}`, in the form in which a step of an edit takes it. The key may be that of a longitude.
struct KindValuePage: Page {
    let route = Route("POST /stores/{store}/kinds/{entity}/{key}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (name, key, choices) = (call.parameters["entity"] ?? "", call.parameters["key"] ?? "", try call.kindChoices)
        let text = try JSONParts(try await call.json()).text("text")
        return .json(
            try await call.store.read(for: call.access) { reading in
                let entity = try reading.opened.entity(named: name)
                guard let use = try reading.kinds(of: entity, choices).use(of: key),
                    let kind = KindRegistry.kind(use.kind)
                else {
                    throw BrowserFailure(
                        404, code: "noKind",
                        reason: "the attribute \(PrintableText.escaped(key, limit: 80)) has no kind")
                }
                let attribute: NSAttributeDescription
                switch try KeyRoute(key, from: entity).end {
                case .attribute(let found), .element(let found, _, _): attribute = found
                default: throw BrowserFailure.badRequest("'\(PrintableText.escaped(key, limit: 80))' is no attribute")
                }
                let value = try kind.value(of: text, for: attribute, use)
                return .object([("value", ValueCoding.json(value, AttributeKind(attribute)))])
            })
    }
}
