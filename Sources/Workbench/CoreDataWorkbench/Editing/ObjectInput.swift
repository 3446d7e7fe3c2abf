import CoreData

/// One object as JSON, in either of two forms.
///
/// - as `get` and `fetch` print it: `{"objectID", "entity", "attributes": {…}, "relationships": {…}}`
/// - flat: `{"key": value, …}`
package struct ObjectInput {
    /// The address that the object had when it was printed; other objects of the same input may refer to it.
    package let label: String?
    package let entity: String?
    package let assignments: [Assignment]

    /// Reads the objects in a text: one, an array, or several one after another.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    package static func list(_ bytes: [UInt8], of source: String) throws -> [ObjectInput] {
        let values = try JSONReader.values(in: bytes, of: source)
        let objects = values.flatMap { value in
            if case .array(let elements) = value { return elements }
            return [value]
        }
        return try objects.enumerated().map { number, value in
            try numbered(number, of: objects.count) { try ObjectInput(value, of: source) }
        }
    }

    /// Runs `body`; if there are several objects, prefixes the subject of its error with the object's number.
    static func numbered<Result>(_ number: Int, of count: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as InspectionError where count > 1 {
            error.subject = "object \(number + 1) of \(count): \(error.subject)"
            throw error
        }
    }

    /// An object without entity and values.
    static var empty: ObjectInput { ObjectInput() }

    private init() { (label, entity, assignments) = (nil, nil, []) }

    private init(_ json: JSONValue, of source: String) throws {
        guard case .members(let members) = json else {
            throw InspectionError(
                .badValue, subject: source, cause: "this is not a JSON object", hint: "it looks like {\"key\": value}")
        }
        let parts = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let groups = [parts["attributes"], parts["relationships"]].compactMap(\.self)
        // The form that get and fetch print.
        let isPrinted =
            !groups.isEmpty && groups.allSatisfy { Self.isObject($0) } && Self.ownKeys.isSuperset(of: parts.keys)
        guard isPrinted else {
            (label, entity) = (nil, nil)
            assignments = members.map { Assignment($0.key, $0.value, isPrinted: false) }
            return
        }
        label = try Self.text(parts, key: "objectID", source: source)
        entity = try Self.text(parts, key: "entity", source: source)
        assignments = groups.flatMap(Self.members).map { Assignment($0.key, $0.value, isPrinted: true) }
        try Assignment.checkKeys(assignments)
    }

    private static let ownKeys: Set<String> = ["objectID", "entity", "attributes", "relationships"]

    private static func isObject(_ json: JSONValue) -> Bool {
        if case .members = json { true } else { false }
    }

    private static func members(_ json: JSONValue) -> [JSONValue.Member] {
        if case .members(let members) = json { members } else { [] }
    }

    private static func text(_ parts: [String: JSONValue], key: String, source: String) throws -> String? {
        switch parts[key] {
        case nil, .null: return nil
        case .string(let text): return text
        default:
            throw InspectionError(
                .badValue, subject: source, cause: "'\(key)' is not a text", hint: "quote it, or leave it out")
        }
    }
}
