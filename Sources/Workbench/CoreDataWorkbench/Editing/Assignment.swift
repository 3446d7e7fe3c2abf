import CoreData

/// One property and what is to become of it, not yet compared with a model.
package struct Assignment {
    package enum Operation {
        /// `key=value`
        case set
        /// `key+=members`
        case add
        /// `key-=members`
        case remove
    }

    package enum Value {
        /// As typed on a command line.
        case text(String)
        case json(JSONValue)
    }

    package let key: String
    package let operation: Operation
    package let value: Value
    /// Whether it is what `fetch` printed, of which derived and transient values are passed over: they are computed again.
    let isPrinted: Bool

    /// Reads words of the form `key=value`, `key+=value` and `key-=value`.
    ///
    /// - Throws: `InspectionError` of code `badValue` for another form or a key that is named twice.
    package static func list(_ words: [String]) throws -> [Assignment] {
        let assignments = try words.map(Assignment.init)
        try checkKeys(assignments)
        return assignments
    }

    /// - Throws: `InspectionError` where two assignments are to the same key.
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
        operation = left.hasSuffix("+") ? .add : left.hasSuffix("-") ? .remove : .set
        key = String(operation == .set ? left : left.dropLast())
        value = .text(String(word[word.utf8.index(after: equals)...]))
        guard !key.isEmpty else {
            throw InspectionError(
                .badValue, subject: "=", cause: "this is not an assignment: there is no key",
                hint: "it looks like key=value")
        }
    }

    init(_ key: String, _ json: JSONValue, isPrinted: Bool) {
        self.key = key
        self.isPrinted = isPrinted
        operation = .set
        value = .json(json)
    }
}
