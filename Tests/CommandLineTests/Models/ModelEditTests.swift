import CoreData
import Testing

@Suite struct ModelEditTests {
    private static let body = """
            <entity name="Hero" representedClassName="Hero" syncable="YES">
                <attribute name="name" attributeType="String"/>
            </entity>
            <fetchRequest name="named" entity="Hero" predicateString="name == $name"/>
        """

    private func contents(_ package: String, _ version: String) throws -> String {
        try String(contentsOfFile: "\(package)/\(version).xcdatamodel/contents", encoding: .utf8)
    }

    @Test("an item is added, set, moved, renamed and removed by commands, in its lines alone (TOOL-06)")
    func itemsAreEdited() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body), ("M 2", Self.body))
        func run(_ words: String...) throws {
            let outcome = try Tool.run(["model", words[0], package] + words.dropFirst())
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("written    "), "\(outcome.output)")
        }
        try run("add", "attribute", "Hero.age", "type=Integer 16", "default=")
        try run("add", "entity", "Sidekick", "parent=Hero")
        try run("set", "Hero.age", "min=0", "optional=NO")
        try run("move", "Hero.age", "Sidekick")
        let renamed = try Tool.run("model", "rename", package, "Hero.name", "title", "--keep-identity")
        #expect(renamed.output.contains("note: the predicate of 'requests/named' is now: title == $name\n"))
        let lines = try contents(package, "M").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines.dropFirst(2) == [
                #"<entity name="Hero" representedClassName="Hero" syncable="YES">"#,
                #"<attribute name="title" attributeType="String" elementID="name"/>"#, "</entity>",
                #"<entity name="Sidekick" representedClassName="Sidekick" parentEntity="Hero" syncable="YES" codeGenerationType="class">"#,
                #"<attribute name="age" attributeType="Integer 16" minValueString="0" usesScalarValueType="YES"/>"#,
                "</entity>", #"<fetchRequest name="named" entity="Hero" predicateString="title == $name"/>"#,
                "</model>",
            ])
        try run("remove", "Sidekick")
        #expect(try !contents(package, "M").contains("Sidekick"))
        #expect(try contents(package, "M 2") == ModelFolder.source(Self.body))
        try run("add", "configuration", "configurations/Cloud", "entities=Hero", "--version", "M 2")
        #expect(try contents(package, "M 2").contains("memberEntity"))
    }

    @Test("a dry run prints what patch reads and writes nothing (TOOL-06)")
    func dryRun() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        let before = try contents(package, "M")
        let outcome = try Tool.run("model", "set", package, "Hero.name", "optional=YES", "--dry-run")
        #expect(outcome.code == 0)
        #expect(
            outcome.output.contains(
                """
                -        <attribute name="name" attributeType="String"/>
                +        <attribute name="name" optional="YES" attributeType="String"/>
                """))
        #expect(try contents(package, "M") == before)
        let json: [String: Any] = try Tool.run(
            "model", "set", package, "Hero.name", "optional=YES", "--dry-run", "--format", "json"
        ).json()
        #expect(json["isChanged"] as? Bool == true && json["isWritten"] as? Bool == false)
        #expect((json["files"] as? [[String: Any]])?.first?["diff"] as? String == outcome.output)
        let same = try Tool.run("model", "set", package, "Hero.name", "optional=NO")
        #expect(same.output.hasPrefix("unchanged  "))
        #expect(try contents(package, "M") == before)
    }

    @Test("options of an item are listed with their values, in a table and as JSON (TOOL-07)")
    func optionsOfItemAreListedWithTheirValues() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        let table = try Tool.run("model", "options", package, "Hero.name")
        #expect(table.output.contains("type ") && table.output.contains("(NO)") && !table.output.contains("scalar"))
        #expect(table.output.hasSuffix("can be added: user-info\n"))
        let options: [[String: Any]] = try Tool.run("model", "options", package, "Hero.name", "--format", "json").json()
        let type = try #require(options.first { $0["name"] as? String == "type" })
        #expect(type["value"] as? String == "String" && type["attribute"] as? String == "attributeType")
        let items: [[String: Any]] = try Tool.run("model", "options", package, "--format", "json").json()
        #expect(items.compactMap { $0["item"] as? String } == ["Hero", "Hero.name", "requests/named"])
    }

    @Test("several edits are one step, from words or from a file, and all are taken or none (TOOL-06)")
    func severalEdits() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = folder.path("New.xcdatamodeld")
        #expect(try Tool.run("model", "create", package).code == 0)
        let edits = [
            "add entity Hero", "add entity Power", "add relationship Hero.powers destination=Power to-many=YES",
            "add relationship Power.hero destination=Hero inverse=powers",
        ]
        #expect(try Tool.run(["model", "edit", package] + edits).code == 0)
        let model = try NSManagedObjectModel(reading: URL(fileURLWithPath: package))
        #expect(model.entitiesByName["Hero"]?.relationshipsByName["powers"]?.inverseRelationship?.name == "hero")
        let before = try contents(package, "New")
        let input = "# a comment\nadd attribute Hero.name type=String\nadd attribute Hero.name type=String\n"
        expectRefusal(
            try Tool.run(["model", "edit", package, "--file", "-"], input: input),
            containing: "there is such an item already")
        #expect(try contents(package, "New") == before)
        let line = try Tool.run(["model", "edit", package, "--file", "-"], input: "add entity A\nad x\n")
        #expect(line.code == 2 && line.errors.contains("line 2"))
        #expect(try Tool.run(["model", "edit", package, "--file", "-"], input: "add entity A\n").code == 0)
        #expect(try Tool.run("model", "create", package).code == 1)
        #expect(try Tool.run("model", "edit", package, "--dry-run").code == 2)
        #expect(try Tool.run("model", "edit", package, "add entity B", "--file", "-").code == 2)
    }

    @Test("items are copied as edits, and pasted into another model under names that are free (TOOL-06)")
    func copyAndPaste() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        let copied = try Tool.run("model", "copy", package, "Hero", "requests/named")
        #expect(copied.code == 0 && copied.output.hasPrefix("add entity Hero"), "\(copied)")
        let pasted = try Tool.run(["model", "paste", package], input: copied.output)
        #expect(pasted.code == 0 && pasted.output.contains("Hero2") && pasted.output.contains("named2"), "\(pasted)")
        #expect(try contents(package, "M").contains("<entity name=\"Hero2\" representedClassName=\"Hero2\""))
        let key = try Tool.run("model", "copy", package, "Hero.name").output
        #expect(try Tool.run(["model", "paste", package, "-", "--into", "Hero2"], input: key).code == 0)
        #expect(try contents(package, "M").contains("<attribute name=\"name2\""))
        let other = try Tool.run(["model", "paste", package], input: "remove Hero\n")
        #expect(other.code == 2 && other.errors.contains("makes nothing"))
        #expect(try Tool.run("model", "copy", package, "Nobody").code == 1)
    }

    @Test("what cannot be edited is refused in one line, and nothing is written (TOOL-06)")
    func whatCannotBeEditedIsRefusedInOneLine() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", Self.body))
        let before = try contents(package, "M")
        expectRefusal(try Tool.run("model", "add", package, "attribute", "Hero.x"), containing: "Hero.x")
        expectRefusal(try Tool.run("model", "add", package, "entity", "Hero"), containing: "already")
        expectRefusal(
            try Tool.run("model", "set", package, "Hero.nam", "optional=YES"), containing: "did you mean 'Hero.name'?")
        expectRefusal(try Tool.run("model", "set", package, "Hero.name", "min=1"), containing: "of type String")
        expectRefusal(try Tool.run("model", "remove", package, "Hero"), containing: "--with-references")
        expectRefusal(
            try Tool.run("model", "set", package, "Hero", "abstract=YES", "--version", "M 9"), containing: "M 9")
        expectRefusal(try Tool.run("model", "options", folder.path("none"), "Hero"), containing: "none")
        #expect(try Tool.run("model", "add", package, "atribute", "Hero.x").code == 2)
        #expect(try Tool.run("model", "set", package, "Hero", "abstract").code == 2)
        #expect(try Tool.run("model", "options", package, "a//b").code == 2)
        let compiled = folder.path("M.momd")
        #expect(try Tool.run("compile", package, "-o", compiled).code == 0)
        expectRefusal(try Tool.run("model", "rename", compiled, "Hero", "X"), containing: "compiled")
        #expect(try contents(package, "M") == before)
        #expect(try folder.names() == ["M.momd", "M.xcdatamodeld"])
    }
}
