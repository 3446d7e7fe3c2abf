import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Facets and sections where a property is not stored")
struct TransientPartsTests {
    private func answers() throws -> BrowserAnswers {
        let builder = ModelBuilder()
        builder.entity("Note", ["title": .stringAttributeType])
        builder.entity("Hint", ["text": .stringAttributeType])
        builder.relationships("Note.hint", "Hint.note")
        for (entity, name) in [("Note", "hint"), ("Hint", "note")] {
            builder[entity].relationshipsByName[name]?.isTransient = true
        }
        let stack = try Stack(builder.model)
        for title in ["A", "A", "B"] { stack.context.insert("Note", ["title": title]) }
        try stack.context.save()
        return BrowserAnswers(stack)
    }

    @Test("a transient to-one relationship has no facet and says why, and the others have theirs (BRW-11)")
    func transientToOneRelationshipHasNoFacetAndSaysWhy() async throws {
        let facets = try await answers().json("/stores/1/entities/Note/facets?keys=hint,title&milliseconds=10000")[
            "facets"]
        #expect(facets[0]["problem"].text?.contains("stored") == true && facets[0]["values"].list.isEmpty)
        #expect(facets[1]["problem"].isNull && facets[1]["values"].list.map { $0["count"].number } == [2, 1])
    }

    @Test("sections by a transient relationship are refused with the reason, and the model says which are (BRW-07)")
    func sectionsByTransientRelationshipAreRefusedWithReason() async throws {
        let answers = try answers()
        let error = try await answers.json("/stores/1/entities/Note/sections?section=hint", status: 422)["error"]
        #expect(error["reason"].text?.contains("transient") == true)
        let note = try await answers.json("/stores/1/model")["entities"].named("Note")
        #expect(note["relationships"].named("hint")["transient"].flag == true)
    }
}
