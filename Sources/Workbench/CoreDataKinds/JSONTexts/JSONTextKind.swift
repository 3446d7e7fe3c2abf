import CoreData

/// A text of JSON, an object or an array.
struct JSONTextKind: ValueKind {
    let name = "json"
    let summary = "a text of JSON, which opens level by level"
    let types: Set<AttributeKind> = [.string]

    private static let rule = GuessRule(words: ["json", "payload"])
    /// Longer texts are read when they are wanted.
    private static let longest = 1 << 20

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { ($0 as? String).map { (try? Self.tree($0)) != nil } ?? false }
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        let text = values.text(use.key) ?? ""
        guard text.utf8.count <= Self.longest else { return KindReading(text) }
        do {
            _ = try Self.tree(text)
            return KindReading(text)
        } catch {
            return .none(text, (error as? InspectionError)?.cause ?? "it is no JSON")
        }
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        do {
            _ = try Self.tree(text)
            return text
        } catch let error as InspectionError {
            throw refused(attribute, error.cause, hint: error.hint ?? "give an object or an array of JSON")
        }
    }

    /// The object or array of a text.
    ///
    /// - Throws: `InspectionError` that says where the text is no JSON.
    private static func tree(_ text: String) throws -> JSONValue {
        let first = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            throw InspectionError(
                .badValue, subject: "JSON", cause: "it is no JSON", hint: "give an object or an array of JSON")
        }
        let values = try JSONReader.values(in: Array(text.utf8), of: "JSON")
        guard values.count == 1 else {
            throw InspectionError(.badValue, subject: "JSON", cause: "more than one value of JSON is given")
        }
        return values[0]
    }
}
