import CoreDataModelEditing
import Testing

@Suite struct SourceItemTests {
    private static let texts = [
        ".", "Hero", "Hero.name", "Hero/indexes/byName", "Hero/constraints/name,age", "Hero/user-info/key",
        "Hero.name/user-info/a/b.c", "requests/All", "configurations/Cloud", "configurations/Cloud/Hero",
        "composites/Address", "composites/Address.street",
    ]

    @Test(arguments: texts) func textNamesTheItem(text: String) throws {
        #expect("\(try SourceItem(text))" == text)
    }

    @Test(arguments: ["", "/", "Hero/", "Hero.", ".name", "Hero/other/x", "Hero/indexes/", "a/b", "Hero/constraints/,"])
    func textsThatNameNothingAreRefused(text: String) {
        #expect(throws: ModelEditError.self) { try SourceItem(text) }
    }

    @Test func everyItemOfASourceIsFoundByItsText() throws {
        let document = try EditedSource.document()
        let items = document.items
        #expect(items.count == 20)
        for item in items {
            #expect(try SourceItem("\(item)") == item)
            #expect(document.contains(item), "\(item)")
        }
        #expect(try document.kind(of: SourceItem("Hero.peers")) == .fetchedProperty)
        #expect(try document.kind(of: SourceItem("composites/Address.street")) == .attribute)
    }

    @Test func wordsOfALineKeepTheirQuotes() throws {
        let edit = try ModelEdit(#"set Hero.name default="a \"b\" c" regex='x y'"#)
        #expect(
            edit == .set(.property("name", entity: "Hero"), [.init("default", "a \"b\" c"), .init("regex", "x y")]))
        #expect(try ModelEdit(edit.description) == edit)
        #expect(throws: ModelEditError.self) { try ModelEdit("set Hero 'x") }
    }

    @Test func linesOfATextAreEdits() throws {
        let text =
            "# heroes\nadd entity Lair\r\n\n  rename Hero Heroine --keep-identity\nremove Power --with-references\nmove Hero .\n"
        #expect(
            try ModelEdit.edits(in: text) == [
                .add(.entity, .entity("Lair"), []), .rename(.entity("Hero"), to: "Heroine", keepsIdentity: true),
                .remove(.entity("Power"), withReferences: true), .move(.entity("Hero"), to: "."),
            ])
        let error = #expect(throws: ModelEditError.self) { try ModelEdit.edits(in: "add entity A\nad entity B") }
        #expect(error?.subject == "line 2")
    }

    @Test(arguments: [
        "", "add", "add thing X", "add entity", "set Hero", "set Hero abc", "rename Hero", "remove", "move Hero",
    ])
    func wordsThatAreNoEditAreRefused(line: String) {
        #expect(throws: ModelEditError.self) { try ModelEdit(line) }
    }
}
