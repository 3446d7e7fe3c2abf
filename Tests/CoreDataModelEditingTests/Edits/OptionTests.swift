import CoreDataModelCompiler
import CoreDataModelEditing
import Testing

@Suite struct OptionTests {
    @Test("every option of an item is shown with its value, and only those that its type has (TOOL-07)")
    func optionsAreShown() throws {
        let document = try EditedSource.document()
        func values(_ item: String) throws -> [String: String] {
            Dictionary(
                try document.options(of: SourceItem(item)).map { ($0.option.name, $0.value ?? "-") }
            ) { first, _ in first }
        }
        let name = try values("Hero.name")
        #expect(name["type"] == "String" && name["max-length"] == "40" && name["optional"] == "NO")
        #expect(name["min"] == nil && name["transformer"] == nil && name["scalar"] == nil)
        let age = try values("Hero.age")
        #expect(age["default"] == "0" && age["min"] == "-" && age["regex"] == nil && age["scalar"] == "YES")
        let powers = try values("Hero.powers")
        #expect(powers["delete-rule"] == "cascade" && powers["inverse"] == "hero" && powers["min-count"] == "-")
        #expect(try values("Power.hero")["max-count"] == nil)
        #expect(try values("Hero/indexes/byName")["elements"] == "name,-age")
        #expect(try values("configurations/Cloud")["entities"] == "Hero,Sidekick")
        #expect(try values("Hero.peers")["entity"] == "Hero")
        #expect(try values("Hero")["codegen"] == "class")
        #expect(try values("Hero")["hash-modifier"] == "-")
    }

    @Test(
        "an option is set in its line, by its word or by the name in the source (TOOL-07)",
        arguments: [
            ("set Hero.age min=1 max=99", #"minValueString="1" maxValueString="99" defaultValueString="0""#),
            ("set Hero.age defaultValueString=7", #"defaultValueString="7""#),
            ("set Hero.age optional=no transient=yes", #"name="age" transient="YES" attributeType"#),
            (
                "set Hero.name min-length=1 regex=[A-Z].*",
                #"minValueString="1" maxValueString="40" regularExpressionString="[A-Z].*""#
            ),
            ("set Hero.name renaming-id=title hash-modifier=2", #"elementID="title" versionHashModifier="2"/>"#),
            (
                "set Hero.age type=Date default='2013-04-23 12:00:00 +0000'",
                #"defaultDateTimeInterval="388411200" defaultValueString="2013-04-23 12:00:00 +0000""#
            ),
            (
                "set Hero.age type=Date min=2013-04-23",
                #"minDateTimeInterval="388368000" minValueString="2013-04-23 00:00:00 +0000""#
            ),
            (
                "set Hero.age type=Transformable transformer=T custom-class=C external=YES",
                #"valueTransformerName="T" customClassName="C" allowsExternalBinaryDataStorage="YES""#
            ),
            (
                "set Hero.age type=Binary external=YES preserve=YES",
                #"allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES""#
            ),
            (
                "set Hero.age type=UUID encrypt=YES spotlight=YES",
                #"allowsCloudEncryption="YES" spotlightIndexingEnabled="YES""#
            ),
            (
                "set Hero.age type=boolean default=true",
                #"attributeType="Boolean" defaultValueString="YES" usesScalarValueType="YES""#
            ),
            ("set Hero.age derivation=powers.@count", #"derived="YES" derivationExpression="powers.@count""#),
            (
                "set Hero.powers min-count=2 max-count=5 ordered=YES",
                #"toMany="YES" minCount="2" maxCount="5" deletionRule="Cascade" ordered="YES""#
            ),
            ("set Hero.powers delete-rule=no-action", #"deletionRule="No Action""#),
            ("set Hero.powers to-many=NO", #"optional="YES" maxCount="1" deletionRule="Cascade""#),
            ("set Power abstract=YES syncable=NO codegen=manual", #"isAbstract="YES" syncable="NO">"#),
            ("set Power class=Might module=current", #"representedClassName=".Might""#),
            (
                "set Power module=Kit codegen=category",
                #"representedClassName="Kit.Power" syncable="YES" codeGenerationType="category""#
            ),
            ("set Power parent=Hero", "…"),
            ("set . identifier=2 cloud-kit=YES", #"usedWithCloudKit="YES" userDefinedModelVersionIdentifier="2""#),
            (
                "set requests/strong batch-size=20 subentities=NO distinct=YES",
                #"fetchBatchSize="20" includeSubentities="NO" returnDistinctResults="YES""#
            ),
            ("set Hero.peers predicate='age > 4' limit=3", #"predicateString="age &gt; 4" fetchLimit="3""#),
            ("set Hero/user-info/color value=blue", #"<entry key="color" value="blue"/>"#),
            (
                "set Hero/indexes/byName elements=age",
                #"<fetchIndexElement property="age" type="Binary" order="ascending"/>"#
            ),
            ("set Hero/indexes/byName predicate='age > 1'", #"partialIndexPredicate="age > 1">"#),
        ])
    func optionsAreSet(edit: String, expected: String) throws {
        guard edit != "set Power parent=Hero" else {
            // Both declare a name, so this has to be refused.
            #expect(EditedSource.refusal(of: edit)?.code == .unreadableModel)
            return
        }
        let lines = try EditedSource.changes(edit)
        #expect(lines.contains { $0.hasPrefix("+") && $0.contains(expected) }, "\(lines)")
        #expect(lines.count <= 6)
    }

    @Test(
        "what an item does not have and values of another form are refused (TOOL-07)",
        arguments: [
            "set Hero.name min=1", "set Hero.age regex=x", "set Hero.age min-length=1", "set Hero.age transformer=T",
            "set Power.hero max-count=3", "set Power.hero ordered=YES", "set Hero.name external=YES",
            "set Hero.age default=x",
            "set Hero.age default=70000", "set Hero.age min=9 max=1", "set Hero.powers min-count=5 max-count=2",
            "set Hero.powers max-count=1", "set Hero.powers delete-rule=x", "set Hero.age type=Integr",
            "set Hero.age optional=x",
            "set Hero.powers min-count=-1", "set Hero colour=red", "set Hero.age type=Date default=soon",
            "set Hero.home default=x",
            "set Hero parent=Sidekick", "set Hero parent=Hero", "set Hero parent=Nobody",
            "set requests/strong predicate='a =='",
            "set requests/strong entity=Nobody", "set Hero.home composite=Nobody",
            "set Hero.age optional=YES optional=NO",
            "set Hero.powers destination=Nobody", "set Hero.powers inverse=name", "set Hero/indexes/byName elements=",
        ])
    func optionsThatDoNotApplyAreRefused(edit: String) throws {
        let error = try #require(EditedSource.refusal(of: edit))
        #expect([.notApplicable, .invalidValue, .unknownItem, .malformedEdit].contains(error.code), "\(error)")
    }

    @Test("setting what is set already changes no byte (TOOL-07)")
    func settingTheSameChangesNothing() throws {
        let document = try EditedSource.document()
        for item in document.items + [.model] {
            for (option, value, _) in try document.options(of: item) {
                guard let value else { continue }
                var session = ModelEditSession(document)
                try session.perform([.set(item, [.init(option.name, value)])])
                let difference = UnifiedDiff(path: "", from: EditedSource.text, to: session.document.text).text
                // Stated flags and counts are what they are; what only means something is not written.
                #expect(difference == "", "\(item) \(option.name)")
            }
        }
    }

    @Test("another type takes away what has no sense with it and keeps what has (TOOL-06)")
    func anotherTypeTakesAwayWhatHasNoSenseWithItAndKeeps() throws {
        let limited = try EditedSource.edited("set Hero.age min=1 max=70")
        var session = ModelEditSession(limited)
        try session.perform([ModelEdit("set Hero.age type='Integer 64'")])
        #expect(
            session.document.text.contains(
                #"attributeType="Integer 64" minValueString="1" maxValueString="70" defaultValueString="0" usesScalarValueType="YES""#
            ))
        try session.perform([ModelEdit("set Hero.age type=String")])
        #expect(
            session.document.text.contains(
                #"<attribute name="age" optional="YES" attributeType="String" defaultValueString="0"/>"#))
        try session.perform([ModelEdit("set Hero.age type=Transformable transformer=T")])
        try session.perform([ModelEdit("set Hero.age type=Binary")])
        #expect(session.document.text.contains(#"<attribute name="age" optional="YES" attributeType="Binary"/>"#))
    }
}
