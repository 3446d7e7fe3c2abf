import CoreDataModeling
import TestBasics
import Testing

/// One after the other, so that the other tests keep a core.
@Suite(.serialized) struct HugeSourceTests {
    @Test("hundreds of thousands of elements are read and written in bounded time", .timeLimit(.minutes(20)))
    func manyElementsAreReadAndWritten() throws {
        let count = TestSeed.isExhaustive ? 1000 : 250
        var text = "<model>\n"
        for index in 0..<count {
            text += "    <entity name=\"E\(index)\">\n"
            for inner in 0..<1000 { text += "<x a=\"\(inner)\"/>" }
            text += "    </entity>\n"
        }
        text += "</model>"
        let data = Data(text.utf8)
        var document = try ModelDocument(data)
        #expect(document.data == data)
        try document.set("F", for: "name", at: .entity("E\(count - 1)"))
        let (model, notes) = try document.makeModel()
        #expect(model.entities.count == count)
        #expect(notes.count == 1000)
    }

    @Test("more than two million elements are refused (HAZ-47)", .timeLimit(.minutes(20)))
    func elementsAreBounded() throws {
        let data = Data(("<model>" + String(repeating: "<a/>", count: 2_000_000) + "</model>").utf8)
        #expect(SourceText.error(data)?.code == .limitExceeded)
    }
}
