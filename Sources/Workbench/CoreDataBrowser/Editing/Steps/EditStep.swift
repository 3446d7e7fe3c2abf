import CoreData

/// One step that a client sent to be staged, parsed but not yet checked against the model.
enum EditStep: Sendable {
    case edit(object: String, key: String, Edit)
    case insert(entity: String, values: [JSONValue.Member])
    case delete(object: String)
    case duplicate(object: String, deep: Bool)

    /// Reads a step such as `{"do": "set", "object": "Hero/p1", "key": "name", "value": "Alpha"}`.
    ///
    /// - Throws: `BrowserFailure` 422 where a part is missing or of another kind.
    init(_ json: JSONValue) throws {
        let parts = JSONParts(json)
        func object() throws -> String { try parts.text("object") }
        func edit(_ edit: Edit) throws -> EditStep { .edit(object: try object(), key: try parts.text("key"), edit) }
        func members() throws -> EditValue { .json(.array(try parts.texts("member").map { .string($0) })) }
        switch try parts.text("do") {
        case "set": self = try edit(.set(.json(parts.value("value"))))
        case "insert": self = .insert(entity: try parts.text("entity"), values: try parts.members("values"))
        case "delete": self = .delete(object: try object())
        case "add": self = try edit(.add(members(), at: parts.number("at")))
        case "remove": self = try edit(.remove(members()))
        case "move":
            guard let from = try parts.number("from"), let to = try parts.number("to") else {
                throw JSONParts.missing("from or to")
            }
            self = try edit(.move(from: from, to: to))
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
        case .edit(let object, let key, _): (object, key)
        case .delete(let object), .duplicate(let object, _): (object, nil)
        case .insert: (nil, nil)
        }
    }

    /// The name of the undo action for steps to which the client gave none.
    static func name(of steps: [EditStep]) -> String {
        guard steps.count == 1, let step = steps.first else { return "\(steps.count) Changes" }
        return switch step {
        case .edit(_, let key, .set): "Change of \(key)"
        case .edit(_, let key, .add): "Addition to \(key)"
        case .edit(_, let key, .remove): "Removal from \(key)"
        case .edit(_, let key, .move): "New Order of \(key)"
        case .insert(let entity, _): "New \(entity)"
        case .delete: "Deletion"
        case .duplicate: "Duplicate"
        }
    }
}
