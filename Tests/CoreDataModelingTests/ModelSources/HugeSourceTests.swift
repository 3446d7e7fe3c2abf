import CoreDataModeling
import Testing

/// One after the other, so that the other tests keep a core.
@Suite(.serialized) struct HugeSourceTests {
    @Test("a million elements are read and written in bounded time", .timeLimit(.minutes(20)))
    func millionElements() throws {
        var text = "<model>\n"
        for index in 0..<1000 {
            text += "    <entity name=\"E\(index)\">\n"
            for inner in 0..<1000 { text += "<x a=\"\(inner)\"/>" }
            text += "    </entity>\n"
        }
        text += "</model>"
        let data = Data(text.utf8)
        var document = try ModelDocument(data)
        #expect(document.data == data)
        try document.set("F", for: "name", at: .entity("E999"))
        let (model, notes) = try document.makeModel()
        #expect(model.entities.count == 1000)
        #expect(notes.count == 1000)
    }

    @Test("more than two million elements are refused (HAZ-47)", .timeLimit(.minutes(20)))
    func elementsAreBounded() throws {
        let data = Data(("<model>" + String(repeating: "<a/>", count: 2_000_000) + "</model>").utf8)
        #expect(SourceText.error(data)?.code == .limitExceeded)
    }
}
