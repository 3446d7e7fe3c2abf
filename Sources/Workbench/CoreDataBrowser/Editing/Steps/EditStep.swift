import CoreData

/// One step of what a tab stages, taken apart but not yet compared with the model.
enum EditStep: Sendable {
    case set(object: String, key: String, value: JSONValue)
    case insert(entity: String, values: [JSONValue.Member])
    case delete(object: String)
    case add(object: String, key: String, members: [String], at: Int?)
    case remove(object: String, key: String, members: [String])
    case move(object: String, key: String, from: Int, to: Int)
    case duplicate(object: String, deep: Bool)

    /// Reads a step such as `{"do": "set", "object": "Hero/p1", "key": "name", "value": "Alpha"}`.
    ///
    /// - Throws: `BrowserFailure` 422 where a part is missing or of another kind.
    init(_ json: JSONValue) throws {
        let parts = JSONParts(json)
        func object() throws -> String { try parts.text("object") }
        func key() throws -> String { try parts.text("key") }
        switch try parts.text("do") {
        case "set": self = .set(object: try object(), key: try key(), value: try parts.value("value"))
        case "insert": self = .insert(entity: try parts.text("entity"), values: try parts.members("values"))
        case "delete": self = .delete(object: try object())
        case "add":
            self = .add(
                object: try object(), key: try key(), members: try parts.texts("member"), at: try parts.number("at"))
        case "remove":
            self = .remove(object: try object(), key: try key(), members: try parts.texts("member"))
        case "move":
            guard let from = try parts.number("from"), let to = try parts.number("to") else {
                throw JSONParts.missing("from or to")
            }
            self = .move(object: try object(), key: try key(), from: from, to: to)
        case "duplicate": self = .duplicate(object: try object(), deep: try parts.flag("deep"))
        case let other:
            throw BrowserFailure(
                422, code: "badStep", reason: "a step cannot '\(PrintableText.escaped(other, limit: 40))'",
                hint: "set, insert, delete, add, remove, move or duplicate")
        }
    }

    /// The object and the key that an error of the step is about.
    var place: (object: String?, key: String?) {
        switch self {
        case .set(let object, let key, _), .add(let object, let key, _, _), .remove(let object, let key, _),
            .move(let object, let key, _, _):
            (object, key)
        case .delete(let object), .duplicate(let object, _): (object, nil)
        case .insert: (nil, nil)
        }
    }
}
