import CoreDataModeling
import Testing

@Suite struct ModelSourceTests {
    @Test("flags and defaults of the source stand in the description (MOD-25)")
    func flagsAndDefaultsAreRead() throws {
        let model = try SourceText.read(
            """
            <entity name="Hero" representedClassName=".Hero" syncable="YES" codeGenerationType="class">
                <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="18" usesScalarValueType="YES"/>
                <attribute name="big" attributeType="Integer 64" defaultValueString="9223372036854775807"/>
                <attribute name="born" attributeType="Date" defaultDateTimeInterval="388411200" defaultValueString="2013-04-23"/>
                <attribute name="flies" attributeType="Boolean" defaultValueString="YES" indexed="YES"/>
                <attribute name="home" attributeType="URI" defaultValueString="https://example.org"/>
                <attribute name="key" attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F"/>
                <attribute name="mood" optional="YES" transient="YES"/>
                <attribute name="name" attributeType="String" defaultValueString=""/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="price" attributeType="Decimal" defaultValueString="0.3"/>
                <attribute name="ratio" attributeType="Float" defaultValueString="1.5" preserveAfterDeletion="YES"/>
            </entity>
            """)
        let hero = try #require(model.entitiesByName["Hero"]).attributesByName
        #expect(hero["age"]?.defaultValue as? Int == 18)
        #expect(hero["age"]?.isOptional == true)
        #expect(hero["age"]?.usesScalarValueType == true)
        #expect(hero["big"]?.defaultValue as? Int64 == .max)
        #expect(hero["big"]?.isOptional == false)
        #expect(hero["born"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 388_411_200))
        #expect(hero["flies"]?.defaultValue as? Bool == true)
        #expect(hero["flies"]?.isIndexed == true)
        #expect(hero["home"]?.defaultValue as? URL == URL(string: "https://example.org"))
        #expect(hero["key"]?.defaultValue as? UUID == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(hero["mood"]?.type == .undefined)
        #expect(hero["mood"]?.isTransient == true)
        #expect(hero["name"]?.defaultValue as? String == "")
        #expect(hero["photo"]?.allowsExternalBinaryDataStorage == true)
        #expect(hero["price"]?.defaultValue as? Decimal == Decimal(string: "0.3"))
        #expect(hero["price"]?.attributeValueClassName == "NSDecimalNumber")
        #expect(hero["ratio"]?.preservesValueInHistoryOnDeletion == true)
        #expect(model.entitiesByName["Hero"]?.managedObjectClassName == ".Hero")
        #expect(model.entitiesByName["Hero"]?.codeGenerationType == "class")
        #expect(model.entitiesByName["Hero"]?.indexes.isEmpty == true)
    }

    @Test func limitsAreKeptAsRules() throws {
        let model = try SourceText.read(
            """
            <entity name="E">
                <attribute name="date" attributeType="Date" minDateTimeInterval="10" maxDateTimeInterval="20" minValueString="x"/>
                <attribute name="number" attributeType="Decimal" minValueString="-4.5" maxValueString="4.5"/>
                <attribute name="text" attributeType="String" minValueString="1" maxValueString="9" regularExpressionString="^a"/>
            </entity>
            """)
        let entity = try #require(model.entitiesByName["E"]?.attributesByName)
        #expect(
            entity["date"]?.validationRules.map(\.check) == [
                .earliest(Date(timeIntervalSinceReferenceDate: 10)), .latest(Date(timeIntervalSinceReferenceDate: 20)),
            ])
        #expect(
            entity["number"]?.validationRules.map(\.check) == [.minimum(Decimal(-4.5)), .maximum(Decimal(4.5))])
        #expect(
            entity["text"]?.validationRules.map(\.check) == [.minimumLength(1), .maximumLength(9), .pattern("^a")])
        #expect(entity["date"]?.notes == [])
        #expect(entity["number"]?.validationPredicates.map(\.formatString) == ["SELF >= -4.5", "SELF <= 4.5"])
        #expect(entity["text"]?.validationPredicates.last?.evaluate(with: "abc") == false)
        #expect(entity["text"]?.validationWarnings as? [Int] == [1670, 1660, 1680])
    }

    @Test("destination, inverse, counts, rule and order of a relationship are read (MOD-27)")
    func relationshipsAreRead() throws {
        let model = try SourceText.read(
            """
            <entity name="Team">
                <relationship name="members" optional="YES" toMany="YES" minCount="2" maxCount="9" ordered="YES"
                    deletionRule="Deny" destinationEntity="Player" inverseName="team" inverseEntity="Player"/>
                <relationship name="rival" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="Team"/>
                <relationship name="friends" toMany="YES" destinationEntity="Team" inverseName="friends"/>
            </entity>
            <entity name="Player">
                <relationship name="team" maxCount="1" deletionRule="Cascade" destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
            </entity>
            """)
        let team = try #require(model.entitiesByName["Team"]?.relationshipsByName)
        let members = try #require(team["members"])
        #expect(members.destinationEntity?.name == "Player")
        #expect(members.inverseRelationship?.name == "team")
        #expect(members.inverseRelationship?.inverseRelationship === members)
        #expect(members.minCount == 2)
        #expect(members.maxCount == 9)
        #expect(members.isToMany && members.isOrdered && members.isOptional)
        #expect(members.deleteRule == .denyDeleteRule)
        #expect(team["rival"]?.isToMany == false)
        #expect(team["rival"]?.inverseRelationship == nil)
        #expect(team["rival"]?.deleteRule == .noActionDeleteRule)
        #expect(team["friends"]?.inverseRelationship === team["friends"])
        #expect(team["friends"]?.maxCount == 0)
    }

    @Test("fetches, configurations, indexes, constraints and user info are read (MOD-30, MOD-31, MOD-32, MOD-33)")
    func theRestOfAModelIsRead() throws {
        let model = try SourceText.read(
            """
            <entity name="Hero" elementID="Champion" versionHashModifier="2">
                <attribute name="age" attributeType="Integer 32"><userInfo><entry key="unit" value="years"/></userInfo></attribute>
                <attribute name="name" attributeType="String"/>
                <fetchedProperty name="olderHeroes" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Hero" predicateString="age &gt; $FETCH_SOURCE.age"/>
                </fetchedProperty>
                <fetchIndex name="byAge">
                    <fetchIndexElement property="age" type="Binary" order="descending"/>
                    <fetchIndexElement property="name" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="name"/><constraint value="age"/></uniquenessConstraint>
                    <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
                </uniquenessConstraints>
                <compoundIndexes><compoundIndex><index value="age"/><index value="name"/></compoundIndex></compoundIndexes>
                <userInfo><entry key="author" value="me &amp; you"/></userInfo>
            </entity>
            <fetchRequest name="PeopleWithLastName" entity="Hero" predicateString="name == $LAST_NAME" fetchLimit="5" resultType="2"/>
            <configuration name="Cloud"><memberEntity name="Hero"/></configuration>
            """)
        let hero = try #require(model.entitiesByName["Hero"])
        #expect(hero.renamingIdentifier == "Champion")
        #expect(hero.versionHashModifier == "2")
        #expect(hero.userInfo as? [String: String] == ["author": "me & you"])
        #expect(hero.attributesByName["age"]?.userInfo as? [String: String] == ["unit": "years"])
        let fetched = try #require(hero.propertiesByName["olderHeroes"] as? NSFetchedPropertyDescription)
        #expect(fetched.isTransient)
        #expect(fetched.fetchRequestTemplate?.entityName == "Hero")
        #expect(fetched.fetchRequestTemplate?.predicateFormat == "age > $FETCH_SOURCE.age")
        #expect(hero.indexes.first?.elements.map(\.isAscending) == [false, true])
        #expect(hero.indexes.first?.elements.first?.property === hero.propertiesByName["age"])
        #expect(hero.uniquenessConstraintNames == [["name", "age"], ["name"]])
        #expect(hero.compoundIndexNames == [["age", "name"]])
        let template = try #require(model.templatesByName["PeopleWithLastName"])
        #expect(template.predicateFormat == "name == $LAST_NAME")
        #expect(template.fetchLimit == 5)
        #expect(template.resultType == 2)
        #expect(!template.includesPendingChanges)
        #expect(model.entities(forConfigurationName: "Cloud")?.map(\.name) == ["Hero"])
    }

    @Test("derived attributes keep their derivation (MOD-42)")
    func derivedAndCompositeAttributesAreRead() throws {
        let model = try SourceText.read(
            """
            <entity name="Book">
                <attribute name="pagesCount" attributeType="Integer 64" derived="YES" derivationExpression="pages.@count"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
                <relationship name="pages" toMany="YES" destinationEntity="Book"/>
            </entity>
            <composite name="Place">
                <attribute name="lat" attributeType="Double" defaultValueString="0.0"/>
                <attribute name="inner" attributeType="Composite" composite="Inner"/>
            </composite>
            <composite name="Inner"><attribute name="z" attributeType="Integer 16"/></composite>
            """)
        let book = try #require(model.entitiesByName["Book"])
        let derived = try #require(book.attributesByName["pagesCount"] as? NSDerivedAttributeDescription)
        #expect(derived.derivationText == "pages.@count")
        #expect(DerivationText.canonical("pages.@count") == "count:(pages)")
        #expect(derived.derivationExpression?.expressionType == .keyPath)
        let place = try #require(book.attributesByName["place"] as? NSCompositeAttributeDescription)
        #expect(place.elements.map(\.name) == ["lat", "inner"])
        #expect((place.elements.last as? NSCompositeAttributeDescription)?.elements.map(\.name) == ["z"])
    }

    @Test func whatIsNotKnownIsNoted() throws {
        let model = try SourceText.read(
            """
            <entity name="E" flavour="sweet" syncable="NO"><attribute name="a" attributeType="String" colour="red"><magic/></attribute>
            <future/></entity><novelty><entity name="Hidden"/></novelty>
            """)
        let entity = try #require(model.entitiesByName["E"])
        #expect(entity.notes == ["flavour=sweet", "<future>"])
        #expect(!entity.isSyncable)
        #expect(entity.propertiesByName["a"]?.notes == ["colour=red", "<magic>"])
        #expect(model.notes == ["<novelty>"])
        #expect(model.entities.count == 1)
    }

    @Test("what is not understood is noted with its line and column, and kept (MOD-03)")
    func notesHavePlaces() throws {
        let data = SourceText.model(
            """
            <entity name="E" flavour="sweet">
                <attribute name="a" attributeType="String"><magic/></attribute>
            </entity>
            """)
        let document = try ModelDocument(data)
        let (model, notes) = try document.makeModel()
        #expect(notes.map(\.description) == ["3:1: flavour=sweet", "4:48: <magic>"])
        #expect(model.entities.map(\.name) == ["E"])
        #expect(document.data == data)
    }

    @Test(arguments: [
        (#"<entity name="E"><attribute name="a" attributeType="Complex"/></entity>"#, "Complex"),
        (#"<entity name="E"><attribute name="a" optional="MAYBE" attributeType="String"/></entity>"#, "MAYBE"),
        (#"<entity name="E"><relationship name="a" destinationEntity="E" deletionRule="Maybe"/></entity>"#, "Maybe"),
        (#"<entity><attribute name="a"/></entity>"#, "'name'"),
    ])
    func wrongValuesAreRefusedWithTheirLine(body: String, mention: String) throws {
        let error = try #require(SourceText.error(body))
        #expect(error.code == .malformed)
        #expect(error.cause.contains(mention))
        #expect(error.line == 3)
    }

    @Test("a stored attribute without a type is refused (MOD-24)")
    func storedAttributeNeedsAType() throws {
        let error = try #require(SourceText.error(#"<entity name="E"><attribute name="a" optional="YES"/></entity>"#))
        #expect(error.cause.contains("'E.a' has no type"))
    }
}
