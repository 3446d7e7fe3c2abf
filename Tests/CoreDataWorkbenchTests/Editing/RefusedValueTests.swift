import CoreData
import CoreDataWorkbench
import StoreContract
import Testing

@Suite("Values that rules of the model refuse")
struct RefusedValueTests {
    /// What a save of an object with these values says, and what a log has of it.
    private func failure(
        _ values: [String: Any], showsValues: Bool = true
    ) throws -> (text: String, log: [String]) {
        let builder = ModelBuilder()
        builder.entity(
            "Note", ["title": .stringAttributeType, "rank": .integer16AttributeType, "code": .stringAttributeType])
        func rule(_ path: String, _ format: String, _ code: Int) {
            builder.attribute(path).setValidationPredicates(
                [NSPredicate(format: format)], withValidationWarnings: ["\(code)"])
        }
        rule("Note.title", "length <= 10", NSValidationStringTooLongError)
        rule("Note.rank", "SELF <= 9", NSValidationNumberTooLargeError)
        rule("Note.code", "SELF MATCHES '[A-Z]+'", NSValidationStringPatternMatchingError)
        let stack = try Stack(builder.model)
        stack.context.insert("Note", values)
        let error = try #require(#expect(throws: (any Error).self) { try stack.context.save() })
        let text = SaveFailure(error, showsValues: showsValues, naming: { _ in nil }).text
        return (text, ErrorDetail.log(error))
    }

    @Test(
        "a refused value is named with the limit to the person who gave it, and in no log (VAL-18, TOOL-21)",
        arguments: [
            ("title", "abcdefghijkl", "(length <= 10). It has 12 characters: 'abcdefghijkl'."),
            (
                "title", String(repeating: "x", count: 500),
                "(length <= 10). It has 500 characters: '\(String(repeating: "x", count: 40))…'."
            ), ("rank", "12", "(SELF <= 9). The value is 12."),
            ("code", "lower", "(SELF MATCHES \"[A-Z]+\"). The value is 'lower'."),
        ])
    func refusedValueIsNamedWithLimit(_ key: String, _ value: String, _ end: String) throws {
        let values: [String: Any] = [key: key == "rank" ? 12 : value]
        let found = try failure(values)
        #expect(found.text.contains(end), "\(found.text)")
        let shown = key == "rank" ? " 12" : String(value.prefix(40))
        #expect(found.log.allSatisfy { !$0.contains(shown) }, "\(found.log)")
        let bare = try failure(values, showsValues: false).text
        #expect(!bare.contains(shown) && bare.contains("'\(key)' of entity 'Note'"), "\(bare)")
    }
}
