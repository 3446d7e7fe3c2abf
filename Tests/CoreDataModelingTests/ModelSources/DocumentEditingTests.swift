import CoreDataModeling
import Testing

/// Edits of one document, each with the very lines that it changes.
@Suite struct DocumentEditingTests {
    static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <!-- heroes -->
            <entity name="Hero" syncable="YES">
                <attribute name="age" optional="YES" attributeType="Integer 16"/>
                <attribute name="name" attributeType="String" syncable="YES">
                    <userInfo>
                        <entry key="unit" value="none"/>
                    </userInfo>
                </attribute>
                <relationship name="powers" toMany="YES" destinationEntity="Power" inverseName="hero" inverseEntity="Power"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="name"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Power" syncable="YES">
                <relationship name="hero" maxCount="1" destinationEntity="Hero" inverseName="powers" inverseEntity="Hero"/>
            </entity>
            <entity name="Sidekick" parentEntity="Hero" syncable="YES"/>
            <fetchRequest name="all" entity="Hero"/>
            <configuration name="Cloud">
                <memberEntity name="Hero"/>
                <memberEntity name="Sidekick"/>
            </configuration>
            <elements>
                <element name="Hero" positionX="1" positionY="2" width="128" height="90"/>
                <element name="Sidekick" positionX="1" positionY="2" width="128" height="90"/>
            </elements>
        </model>
        """

    /// The lines that an edit takes away (`-`) and brings (`+`), in order; what is common is left out.
    private func difference(
        lineBreak: String = "\n", _ edit: (inout ModelDocument) throws -> Void
    ) throws -> [String] {
        let text = Self.source.replacingOccurrences(of: "\n", with: lineBreak)
        var document = try ModelDocument(Data(text.utf8))
        try edit(&document)
        _ = try document.makeModel()
        let before = text.components(separatedBy: lineBreak)
        let after = document.text.components(separatedBy: lineBreak)
        let changes = after.difference(from: before)
        let removed = changes.removals.map { change in
            guard case .remove(_, let line, _) = change else { return "" }
            return "-" + line.trimmingCharacters(in: ["\n"])
        }
        let inserted = changes.insertions.map { change in
            guard case .insert(_, let line, _) = change else { return "" }
            return "+" + line
        }
        return removed + inserted
    }

    @Test("an attribute that is set, added or taken away changes its line alone (MOD-03)")
    func attributeThatIsSet() throws {
        let age = ModelPath.entity("Hero").attribute("age")
        let line = #"        <attribute name="age" optional="YES" attributeType="Integer 16"/>"#
        #expect(
            try difference { try $0.set("Integer 32", for: "attributeType", at: age) } == [
                "-" + line, #"+        <attribute name="age" optional="YES" attributeType="Integer 32"/>"#,
            ])
        #expect(
            try difference { try $0.set("18", for: "defaultValueString", at: age) } == [
                "-" + line,
                #"+        <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="18"/>"#,
            ])
        #expect(
            try difference { try $0.set(nil, for: "optional", at: age) } == [
                "-" + line, #"+        <attribute name="age" attributeType="Integer 16"/>"#,
            ])
        #expect(try difference { try $0.set("YES", for: "optional", at: age) } == [])
        #expect(try difference { try $0.set(nil, for: "transient", at: age) } == [])
        #expect(
            try difference { try $0.set("YES", for: "optional", at: .entity("Hero").attribute("name")) } == [
                #"-        <attribute name="name" attributeType="String" syncable="YES">"#,
                #"+        <attribute name="name" optional="YES" attributeType="String" syncable="YES">"#,
            ])
    }

    @Test("an added property stands where Xcode would put it and takes a line (MOD-03)", arguments: ["\n", "\r\n"])
    func addedProperties(lineBreak: String) throws {
        func added(_ element: ModelElement) throws -> [String] {
            try difference(lineBreak: lineBreak) { try $0.add(element, to: .entity("Hero")) }
        }
        let type = ModelAttribute("attributeType", "String")
        for name in ["aa", "b", "z"] {
            #expect(
                try added(ModelElement("attribute", [type, ModelAttribute("name", name)])) == [
                    "+        <attribute name=\"\(name)\" attributeType=\"String\"/>"
                ])
        }
        #expect(
            try added(ModelElement("relationship", [.init("name", "friend"), .init("destinationEntity", "Hero")])) == [
                #"+        <relationship name="friend" destinationEntity="Hero"/>"#
            ])
        let fetch = ModelElement(
            "fetchRequest", [.init("name", "fetchedPropertyFetchRequest"), .init("entity", "Hero")])
        #expect(
            try added(ModelElement("fetchedProperty", [.init("name", "peers")], elements: [fetch])) == [
                #"+        <fetchedProperty name="peers">"#,
                #"+            <fetchRequest name="fetchedPropertyFetchRequest" entity="Hero"/>"#,
                "+        </fetchedProperty>",
            ])
        let part = ModelElement(
            "fetchIndexElement", [.init("property", "age"), .init("type", "Binary"), .init("order", "ascending")])
        #expect(
            try added(ModelElement("fetchIndex", [.init("name", "byAge")], elements: [part])) == [
                #"+        <fetchIndex name="byAge">"#,
                #"+            <fetchIndexElement property="age" type="Binary" order="ascending"/>"#,
                "+        </fetchIndex>",
            ])
    }

    @Test("added elements are in Xcode's order (MOD-03)")
    func orderOfAddedElements() throws {
        var document = try ModelDocument(Data(Self.source.utf8))
        for (kind, name) in [("fetchedProperty", "f"), ("attribute", "b"), ("relationship", "a"), ("fetchIndex", "i")] {
            try document.add(ModelElement(kind, [.init("name", name)]), to: .entity("Hero"))
        }
        for name in ["Zebra", "Alien", "Mentor"] {
            try document.add(ModelElement("entity", [.init("name", name)]), to: .model)
        }
        let hero = try #require(document.element(at: .entity("Hero")))
        #expect(hero.elements.compactMap(\.key) == ["age", "b", "name", "a", "powers", "f", "i"])
        #expect(hero.elements.last?.name == "uniquenessConstraints")
        let names = document.root.elements.filter { $0.name == "entity" }.compactMap(\.key)
        #expect(names == ["Alien", "Hero", "Mentor", "Power", "Sidekick", "Zebra"])
        #expect(document.text.contains("    <!-- heroes -->\n    <entity name=\"Hero\""))
    }

    @Test("an entity that is added or taken away takes its place in the layout and configurations with it (MOD-03)")
    func entityThatIsAddedOrTakenAwayTakesItsPlaceInLayout() throws {
        #expect(
            try difference { try $0.add(ModelElement("entity", [.init("name", "Lair")]), to: .model) } == [
                #"+    <entity name="Lair"/>"#,
                #"+        <element name="Lair" positionX="0" positionY="0" width="128" height="43"/>"#,
            ])
        #expect(
            try difference { try $0.remove(.entity("Sidekick")) } == [
                #"-    <entity name="Sidekick" parentEntity="Hero" syncable="YES"/>"#,
                #"-        <memberEntity name="Sidekick"/>"#,
                #"-        <element name="Sidekick" positionX="1" positionY="2" width="128" height="90"/>"#,
            ])
    }

    @Test("fetch requests, configurations, constraints and user info are added and taken away by the line (MOD-03)")
    func fetchRequestsConfigurationsConstraintsAndUserInfoAreAdded() throws {
        #expect(
            try difference { try $0.remove(.model.step("fetchRequest", "all")) } == [
                #"-    <fetchRequest name="all" entity="Hero"/>"#
            ])
        #expect(
            try difference {
                try $0.add(ModelElement("fetchRequest", [.init("entity", "Hero"), .init("name", "b")]), to: .model)
            } == [#"+    <fetchRequest name="b" entity="Hero"/>"#])
        let configuration = ModelElement(
            "configuration", [.init("name", "Local")],
            elements: [ModelElement("memberEntity", [.init("name", "Power")])])
        #expect(
            try difference { try $0.add(configuration, to: .model) } == [
                #"+    <configuration name="Local">"#, #"+        <memberEntity name="Power"/>"#,
                "+    </configuration>",
            ])
        let hero = ModelPath.entity("Hero")
        #expect(
            try difference {
                try $0.add(
                    ModelElement("entry", [.init("value", "x"), .init("key", "a")]),
                    to: hero.attribute("name").step("userInfo"))
            } == [#"+                <entry key="a" value="x"/>"#])
        #expect(
            try difference { try $0.remove(hero.attribute("name").step("userInfo").step("entry", "unit")) }.contains(
                #"+        <attribute name="name" attributeType="String" syncable="YES"/>"#))
        let constraint = hero.step("uniquenessConstraints").step("uniquenessConstraint")
        #expect(
            try difference { try $0.remove(constraint.step("constraint", "name")) } == [
                "-        <uniquenessConstraints>", "-            <uniquenessConstraint>",
                #"-                <constraint value="name"/>"#, "-            </uniquenessConstraint>",
                "-        </uniquenessConstraints>",
            ])
        let second = ModelElement(
            "uniquenessConstraint", elements: [ModelElement("constraint", [.init("value", "age")])])
        #expect(
            try difference { try $0.add(second, to: hero.step("uniquenessConstraints")) } == [
                "+            <uniquenessConstraint>", #"+                <constraint value="age"/>"#,
                "+            </uniquenessConstraint>",
            ])
    }

    @Test("a list that is missing is made, in an element of one tag too (MOD-03)")
    func listsAreMade() throws {
        let added = try difference {
            try $0.add(
                ModelElement("entry", [.init("key", "a"), .init("value", "x")]),
                to: .entity("Hero").attribute("age").step("userInfo"))
        }
        #expect(
            added == [
                #"-        <attribute name="age" optional="YES" attributeType="Integer 16"/>"#,
                #"+        <attribute name="age" optional="YES" attributeType="Integer 16">"#,
                "+            <userInfo>",
                #"+                <entry key="a" value="x"/>"#, "+            </userInfo>", "+        </attribute>",
            ])
    }

    @Test("a renamed entity is renamed wherever it is named (MOD-03)")
    func renamedEntities() throws {
        let changes = try difference { try $0.renameEntity("Hero", to: "Heroine") }
        #expect(changes.count == 12)
        #expect(changes.filter { $0.hasPrefix("+") }.allSatisfy { $0.contains("\"Heroine\"") })
        #expect(
            changes.prefix { $0.hasPrefix("-") }.map {
                $0.replacingOccurrences(of: "\"Hero\"", with: "\"Heroine\"").dropFirst()
            }
                == changes.filter { $0.hasPrefix("+") }.map { $0.dropFirst() })
    }

    @Test("a renamed property is renamed in constraints, indexes and inverses (MOD-03)")
    func renamedProperties() throws {
        #expect(
            try difference { try $0.renameProperty("name", of: "Hero", to: "title") } == [
                #"-        <attribute name="name" attributeType="String" syncable="YES">"#,
                #"-                <constraint value="name"/>"#,
                #"+        <attribute name="title" attributeType="String" syncable="YES">"#,
                #"+                <constraint value="title"/>"#,
            ])
        let inverse = try difference { try $0.renameProperty("powers", of: "Hero", to: "gifts") }
        #expect(inverse.count == 4)
        #expect(inverse.last?.contains(#"inverseName="gifts""#) == true)
    }

    @Test("what is not there or is there already is refused and changes nothing")
    func impossibleEdits() throws {
        var document = try ModelDocument(Data(Self.source.utf8))
        func refuses(_ edit: (inout ModelDocument) throws -> Void) -> Bool {
            var copy = document
            do {
                try edit(&copy)
                return false
            } catch {
                return (error as? ModelingError)?.code == .invalidModel
            }
        }
        let taken = ModelElement("relationship", [.init("name", "age")])
        #expect(refuses { try $0.add(taken, to: .entity("Hero")) })
        #expect(refuses { try $0.add(ModelElement("entity", [.init("name", "Hero")]), to: .model) })
        #expect(refuses { try $0.remove(.entity("Nobody")) })
        #expect(refuses { try $0.remove(.model) })
        #expect(refuses { try $0.set("x", for: "name", at: .entity("Nobody")) })
        #expect(refuses { try $0.renameEntity("Hero", to: "Power") })
        #expect(refuses { try $0.renameProperty("age", of: "Hero", to: "name") })
        #expect(refuses { try $0.renameProperty("nothing", of: "Hero", to: "x") })
        try document.renameEntity("Hero", to: "Hero")
        #expect(document.text == Self.source)
    }

    @Test("tabs, attributes on lines of their own and a document on one line keep their manner (MOD-03)")
    func mannersAreKept() throws {
        var tabs = try ModelDocument(Data("<model>\n\t<entity name=\"B\"/>\n</model>".utf8))
        try tabs.add(ModelElement("attribute", [.init("name", "x")]), to: .entity("B"))
        #expect(tabs.text == "<model>\n\t<entity name=\"B\">\n\t\t<attribute name=\"x\"/>\n\t</entity>\n</model>")
        var line = try ModelDocument(Data("<model><entity name='B'/></model>".utf8))
        try line.add(ModelElement("entity", [.init("name", "A")]), to: .model)
        try line.set("C", for: "name", at: .entity("B"))
        #expect(line.text == "<model><entity name=\"A\"/><entity name='C'/></model>")
        var wide = try ModelDocument(
            Data("<model>\n  <entity\n     name=\"B\"\n     syncable=\"YES\" />\n</model>".utf8))
        try wide.set("YES", for: "isAbstract", at: .entity("B"))
        #expect(
            wide.text
                == "<model>\n  <entity\n     name=\"B\"\n     isAbstract=\"YES\"\n     syncable=\"YES\" />\n</model>")
    }
}
