import CoreDataModelEditing
import Testing

@Suite struct HostileSourceEditTests {
    @Test(
        "malformed sources are refused with their place, before any edit (TOOL-06)",
        arguments: [
            "", "text", "<model", "<model><entity></model>", "<model><entity name=\"A\"", "<model a='1' a='2'/>",
            "<model><entity name=A/></model>", "<model><entity name=\"A'/></model>", "<model>&bomb;</model>",
            "<!DOCTYPE m [<!ENTITY a \"&a;&a;\">]><model/>", "<other/>", "<model/><model/>", "<model>\u{1}</model>",
            String(repeating: "<model>", count: 100_000),
        ])
    func malformedSources(text: String) {
        #expect(throws: ModelingError.self) { try ModelDocument(Data(text.utf8)) }
    }

    @Test func unknownMarkupOutlivesEdits() throws {
        let text = """
            <?xml version='1.0'?><!-- a --><?pi x?>
            <model  custom = 'a&#10;b'>
            \t<entity name='A' unknown="&amp;" ><!-- b -->
            \t\t<thing>text &lt; <![CDATA[ <x> ]]></thing>
            \t</entity >
            </model>
            <!-- c -->
            """
        var session = ModelEditSession(try EditedSource.document(text))
        try session.perform([ModelEdit("add attribute A.b type=String"), ModelEdit("rename A B")])
        let attribute = "\n\t\t<attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>"
        let expected = text.replacing("name='A'", with: "name='B'").replacing(
            "<!-- b -->", with: attribute + "<!-- b -->")
        #expect(session.document.text == expected)
        session.undo()
        #expect(session.document.text == text)
    }

    @Test func textsThatXMLCannotExpressAreRefused() {
        #expect(throws: (any Error).self) {
            var session = ModelEditSession(try EditedSource.document())
            try session.perform([.set(.property("name", entity: "Hero"), [.init("default", "a\u{1}b")])])
        }
        #expect(throws: (any Error).self) {
            var session = ModelEditSession(try EditedSource.document())
            try session.perform([.add(.userInfo, .userInfo("\u{FFFF}", of: .entity("Hero")), [])])
        }
    }

    @Test(.timeLimit(.minutes(2))) func thousandEntitiesAreEditedInTime() throws {
        var edits: [ModelEdit] = []
        for number in 0..<1_000 {
            let parent = number == 0 || number % 50 == 0 ? "" : " parent=E\(number - 1)"
            edits.append(try ModelEdit("add entity E\(number)\(parent)"))
        }
        var session = ModelEditSession(ModelDocument.describing(NSManagedObjectModel()).document)
        try session.perform(edits)
        try session.perform([
            ModelEdit("add attribute E0.a type=String"), ModelEdit("add relationship E0.r destination=E999"),
            ModelEdit("add relationship E999.s destination=E0 inverse=r"), ModelEdit("rename E0.a b"),
        ])
        try session.perform([ModelEdit("rename E0 F")])
        try session.perform([ModelEdit("remove F --with-references")])
        #expect(try session.document.makeModel().model.entities.count == 999)
    }

    @Test func circlesOfParentsEnd() throws {
        let text = #"<model><entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/></model>"#
        var session = ModelEditSession(try EditedSource.document(text))
        #expect(throws: ModelEditError.self) { try session.perform([ModelEdit("rename A C")]) }
        try session.perform([ModelEdit("set A parent=")])
        #expect(!session.document.text.contains(#"parentEntity="B""#))
    }

    @Test func namesThatStandTwiceDoNotTrap() throws {
        let text =
            #"<model><entity name="A"/><entity name="A"><attribute name="x"/><attribute name="x"/></entity></model>"#
        var session = ModelEditSession(try EditedSource.document(text))
        for edit in ["rename A B", "remove A", "add attribute A.x type=String", "set A.x type=Date"] {
            #expect(throws: (any Error).self) { try session.perform([ModelEdit(edit)]) }
        }
    }
}
