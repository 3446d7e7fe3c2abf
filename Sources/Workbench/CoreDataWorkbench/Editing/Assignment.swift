import CoreData

/// A key and the edit of its property, not yet checked against a model: `key=value`, `key+=members`, `key-=members`.
package struct Assignment {
    let key: String
    let edit: Edit
    /// Whether the assignment comes from printed JSON, of which derived and transient values are ignored, since they
    /// are computed.
    let isPrinted: Bool

    /// Reads words of the form `key=value`, `key+=value` and `key-=value`.
    ///
    /// - Throws: `InspectionError` of code `badValue` for another form or a key that is named twice.
    package static func list(_ words: [String]) throws -> [Assignment] {
        let assignments = try words.map(Assignment.init)
        try checkKeys(assignments)
        return assignments
    }

    /// - Throws: `InspectionError` if two assignments have the same key.
    static func checkKeys(_ assignments: [Assignment]) throws {
        var seen: Set<String> = []
        for assignment in assignments where !seen.insert(assignment.key).inserted {
            let key = PrintableText.escaped(assignment.key, limit: 80)
            throw InspectionError(.badValue, subject: key, cause: "the key is named twice", hint: "name each key once")
        }
    }

    private init(_ word: String) throws {
        guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            let shown = PrintableText.escaped(word, limit: 60)
            throw InspectionError(
                .badValue, subject: shown, cause: "this is not an assignment", hint: "it looks like key=value")
        }
        isPrinted = false
        let left = word[..<equals]
        let value = EditValue.text(String(word[word.utf8.index(after: equals)...]))
        switch left.last {
        case "+": (key, edit) = (String(left.dropLast()), .add(value))
        case "-": (key, edit) = (String(left.dropLast()), .remove(value))
        default: (key, edit) = (String(left), .set(value))
        }
        guard !key.isEmpty else {
            throw InspectionError(
                .badValue, subject: "=", cause: "this is not an assignment: there is no key",
                hint: "it looks like key=value")
        }
    }

    init(_ key: String, _ json: JSONValue, isPrinted: Bool) {
        self.key = key
        self.isPrinted = isPrinted
        edit = .set(.json(json))
    }
}
