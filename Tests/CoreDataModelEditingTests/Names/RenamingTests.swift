import CoreDataModelEditing
import Testing

@Suite struct RenamingTests {
    @Test("a renamed attribute is renamed in predicates, derivations, indexes and constraints (TOOL-06)")
    func renamedAttributes() throws {
        let lines = try EditedSource.changes("rename Hero.name title").filter { $0.hasPrefix("+") }
        #expect(
            lines == [
                #"+<attribute name="title" attributeType="String" maxValueString="40"/>"#,
                #"+<attribute name="plain" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(title)"/>"#,
                #"+<fetchRequest name="fetchedPropertyFetchRequest" entity="Hero" predicateString="$FETCH_SOURCE.title == title AND age &gt; 3"/>"#,
                #"+<fetchIndexElement property="title" type="Binary" order="ascending"/>"#,
                #"+<constraint value="title"/>"#,
                #"+<fetchRequest name="strong" entity="Hero" predicateString="SUBQUERY(powers, $p, $p.name == 'name' AND $p.hero.title != title).@count &gt; 0"/>"#,
            ])
        // The name of a power is another key than that of a hero, and a text is none.
        let power = try EditedSource.edited("rename Power.name label").text
        #expect(power.contains("$p.label == 'name' AND $p.hero.name != name"))
        #expect(power.contains("$FETCH_SOURCE.name == name"))
    }

    @Test("elements of composites are followed in indexes and constraints, go with them, and are checked (TOOL-06)")
    func indexedElements() throws {
        let source = EditedSource.text
            .replacing(#"<constraint value="name"/>"#, with: #"<constraint value="home.street"/>"#)
            .replacing(#"<fetchIndexElement property="name""#, with: #"<fetchIndexElement property="home.street""#)
        for (edits, name) in [
            (["rename composites/Address.street road"], "home.road"), (["rename Hero.home house"], "house.street"),
            (["rename Hero.home house", "rename composites/Address.street road"], "house.road"),
        ] {
            var session = ModelEditSession(try EditedSource.document(source))
            try session.perform(edits.map { try ModelEdit($0) })
            let text = session.document.text
            #expect(text.contains(#"<constraint value="\#(name)"/>"#), "\(edits)")
            #expect(text.contains(#"<fetchIndexElement property="\#(name)" type="Binary""#), "\(edits)")
            #expect((try? session.document.makeModel()) != nil, "\(edits)")
        }
        for edit in ["remove composites/Address.street", "remove Hero.home"] {
            let text = try EditedSource.edited(edit, from: source).text
            #expect(!text.contains("<constraint") && !text.contains("home.street"), "\(edit)")
            #expect(text.contains(#"<fetchIndexElement property="age""#), "\(edit)")
        }
        let added = try EditedSource.edited("add constraint Hero/constraints/home.street,age").text
        #expect(added.contains(#"<constraint value="home.street"/>"#))
        for name in ["home.road", "name.street", "home.street.x"] {
            #expect(throws: ModelEditError.self) {
                _ = try EditedSource.edited("add constraint Hero/constraints/\(name)")
            }
        }
    }

    @Test("a renamed relationship is renamed in its inverse and in key paths (TOOL-06)")
    func renamedRelationships() throws {
        let text = try EditedSource.edited("rename Hero.powers gifts", "rename Power.hero owner").text
        #expect(text.contains("SUBQUERY(gifts, $p, $p.name == 'name' AND $p.owner.name != name)"))
        #expect(text.contains(#"inverseName="gifts""#) && text.contains(#"inverseName="owner""#))
    }

    @Test func renamedEntityTakesItsGeneratedClassAlong() throws {
        let text = try EditedSource.edited("rename Hero Heroine").text
        #expect(text.contains(#"<entity name="Heroine" representedClassName="Heroine""#))
        #expect(!text.contains(#""Hero""#))
        let manual = try EditedSource.edited("set Hero codegen=manual", "rename Hero Heroine").text
        #expect(manual.contains(#"<entity name="Heroine" representedClassName="Hero""#))
    }

    @Test("the renaming identifier keeps the name of the version before, however often an item is renamed (TOOL-06)")
    func renamingIdentifierKeepsNameOfVersion() throws {
        var session = ModelEditSession(try EditedSource.document())
        try session.perform([ModelEdit("rename Hero.name title --keep-identity")])
        try session.perform([ModelEdit("rename Hero.title label --keep-identity")])
        #expect(
            session.document.text.contains(
                #"<attribute name="label" attributeType="String" maxValueString="40" elementID="name"/>"#))
        let old = try EditedSource.document().makeModel().model
        let new = try session.document.makeModel().model
        #expect(new.entitiesByName["Hero"]?.attributesByName["label"]?.renamingIdentifier == "name")
        #expect((try? NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)) != nil)
        try session.perform([ModelEdit("rename Hero.label name --keep-identity")])
        #expect(session.document.text == EditedSource.text)
    }

    @Test(
        "a key is exchanged where it stands, whatever is around it",
        arguments: [
            ("name == 'name'", "title == 'name'"), ("name=\"a\\\"name\" AND age=1", "title=\"a\\\"name\" AND age=1"),
            ("ANY powers.hero.name == $name", "ANY powers.hero.title == $name"),
            ("#name == 1", "#title == 1"), ("name.length > 3 OR names == 2", "title.length > 3 OR names == 2"),
            ("self.name == name", "self.title == title"), ("powers.name == name", "powers.name == title"),
            ("powers[SIZE] > 2 && name BETWEEN {name, 3}", "powers[SIZE] > 2 && title BETWEEN {title, 3}"),
        ])
    func keysInPredicates(before: String, after: String) throws {
        let document = try EditedSource.document()
        var session = ModelEditSession(document)
        let item = SourceItem.fetchRequest("strong")
        try session.perform([.set(item, [.init("predicate", before)])])
        try session.perform([ModelEdit("rename Hero.name title")])
        let value = try session.document.options(of: item).first { $0.option.name == "predicate" }?.value
        #expect(value == after)
    }

    @Test func aNameThatIsAKeywordIsEscaped() throws {
        let text = try EditedSource.edited("set requests/strong predicate='age > 2'", "rename Hero.age like").text
        #expect(text.contains("predicateString=\"#like &gt; 2\""))
    }

    @Test func predicatesThatDoNotParseStayAndAreTold() throws {
        let source = EditedSource.text.replacing("SUBQUERY(powers, $p, $p.name", with: "SUBQUERY((powers, $p, $p.name")
        var editor = ModelEditor(try EditedSource.document(source))
        try editor.apply(ModelEdit("rename Hero.name title"))
        #expect(editor.notes.contains { $0.contains("'requests/strong' cannot be read") })
        #expect(editor.document.text.contains("SUBQUERY((powers, $p, $p.name == 'name' AND $p.hero.name != name)"))
    }

    @Test func partsOfCompositesAreFollowed() throws {
        let text = try EditedSource.edited(
            "set requests/strong predicate='home.street == nil'", "rename composites/Address.street road",
            "rename composites/Address Place"
        ).text
        #expect(text.contains("home.road == nil"))
        #expect(text.contains(#"composite="Place""#) && text.contains(#"<composite name="Place">"#))
    }

    @Test func otherItemsAreRenamedInTheirLine() throws {
        for (item, name) in [
            ("Hero/indexes/byName", "other"), ("requests/strong", "weak"), ("configurations/Cloud", "Sky"),
            ("Hero/user-info/color", "colour"),
        ] {
            let lines = try EditedSource.changes("rename \(item) \(name)")
            #expect(lines.count == 2 && lines[1].contains("\"\(name)\""), "\(lines)")
        }
        #expect(EditedSource.refusal(of: "rename Hero/constraints/name x")?.code == .notApplicable)
        #expect(EditedSource.refusal(of: "rename requests/strong x --keep-identity")?.code == .notApplicable)
        #expect(EditedSource.refusal(of: "rename Hero.age name")?.code == .nameTaken)
        #expect(EditedSource.refusal(of: "rename Hero Power")?.code == .nameTaken)
    }
}
