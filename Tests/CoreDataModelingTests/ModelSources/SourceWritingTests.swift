import CoreDataModeling
import TestBasics
import Testing

@Suite struct SourceWritingTests {
    private func written(_ model: NSManagedObjectModel) throws -> (model: NSManagedObjectModel, losses: [String]) {
        let (document, losses) = ModelDocument.describing(model)
        let (again, notes) = try document.makeModel()
        #expect(notes.isEmpty, "\(notes)")
        return (again, losses)
    }

    private func expectEqual(_ one: NSManagedObjectModel, _ other: NSManagedObjectModel, _ path: String = "") {
        let difference = SourceFacts.lines(one).difference(from: SourceFacts.lines(other))
        #expect(difference.isEmpty, "\(path): \(difference)")
        #expect(one.entityVersionHashesByName == other.entityVersionHashesByName, "\(path)")
    }

    @Test(
        "every model of the fixtures that is written again reads back equal (MOD-03, MOD-36)",
        .enabled(if: Fixtures.areAvailable), .timeLimit(.minutes(20)))
    func fixturesAreWrittenAgain() throws {
        for path in ModelDocumentTests.sources {
            let source = try ModelDocument(Data(contentsOf: Fixtures.url(path)))
            let model = try source.makeModel().model
            let (again, losses) = try written(model)
            #expect(losses.isEmpty, "\(path): \(losses)")
            expectEqual(again, model, path)
            let second = ModelDocument.describing(again)
            #expect(second.document.text == ModelDocument.describing(model).document.text)
        }
    }

    @Test(
        "every compiled model of the fixtures can be written as a source with the same hashes (MOD-03, MOD-04)",
        .enabled(if: Fixtures.areAvailable), .timeLimit(.minutes(20)))
    func compiledModelsAreWritten() throws {
        // One project keeps a property list of its own under this name.
        let paths = FixtureSupport.paths(endingIn: ".mom").filter { !$0.contains("freecoredata") }
        #expect(paths.count > 5)
        for path in paths {
            let model = try NSManagedObjectModel(compiled: Data(contentsOf: Fixtures.url(path)))
            let (document, losses) = ModelDocument.describing(model)
            let again = try document.makeModel().model
            #expect(losses.isEmpty, "\(path): \(losses)")
            #expect(again.entityVersionHashesByName == model.entityVersionHashesByName, "\(path)")
            let difference = ModelText.lines(again).difference(from: ModelText.lines(model))
            #expect(difference.isEmpty, "\(path): \(difference)")
        }
    }

    @Test(
        "the model that a store keeps can be written as a source with the same hashes (MOD-03)",
        .enabled(if: Fixtures.areAvailable), .timeLimit(.minutes(20)))
    func keptModelsAreWritten() throws {
        var count = 0
        for path in FixtureSupport.stores {
            guard let kept = try FixtureSupport.bookkeeping(of: path).cachedModel,
                case let model = try NSManagedObjectModel(cachedModel: kept)
            else { continue }
            let again = try ModelDocument.describing(model).document.makeModel().model
            #expect(again.entityVersionHashesByName == model.entityVersionHashesByName, "\(path)")
            count += 1
        }
        #expect(count >= 18)
    }

    @Test(
        "a source of Xcode 15 and later is written as Xcode wrote it, but for layout and tool (MOD-03)",
        .enabled(if: Fixtures.areAvailable))
    func writtenAsXcodeWrites() throws {
        var equal = 0
        for path in ModelDocumentTests.sources {
            let source = try ModelDocument(Data(contentsOf: Fixtures.url(path)))
            guard let version = source.root["lastSavedToolsVersion"].flatMap(Double.init), version >= 21000 else {
                continue
            }
            let model = try source.makeModel().model
            let again = ModelDocument.describing(model, header: ModelHeader(source)).document
            if again.text == source.text { equal += 1 }
        }
        // The others were written by hand or sorted otherwise, or say 0 where Xcode says 0.0.
        #expect(equal >= 19)
    }

    @Test("a model that was built in code is written and reads back equal (MOD-01, MOD-03)")
    func modelsInCodeAreWritten() throws {
        let model = PeopleModel().model
        // A source always has an identifier, if only an empty one.
        model.versionIdentifiers = [""]
        let (again, losses) = try written(model)
        #expect(losses.isEmpty)
        expectEqual(again, model)
        let text = ModelDocument.describing(model).document.text
        #expect(
            text.hasPrefix(
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
                lastSavedToolsVersion="24299" systemVersion="25A362" minimumToolsVersion="Automatic" \
                sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
                    <entity name="Hero" parentEntity="Person" syncable="YES">
                        <relationship name="powers" optional="YES" toMany="YES" deletionRule="Nullify" \
                destinationEntity="Power" inverseName="owner" inverseEntity="Power"/>
                    </entity>
                """))
    }

    @Test("every setting that a source can have is written and read back (MOD-25, MOD-33, MOD-37, MOD-38)")
    func everySettingIsWritten() throws {
        let model = try SourceText.read(Self.everything)
        let (again, losses) = try written(model)
        #expect(losses.isEmpty)
        expectEqual(again, model)
        let text = ModelDocument.describing(model).document.text
        for line in Self.everything.split(separator: "\n") where line.contains("=") {
            #expect(text.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }

    /// Every element and attribute of a source with another value than the usual one.
    static let everything = """
        <entity name="Hero" representedClassName=".Hero" isAbstract="YES" elementID="Champion" versionHashModifier="2" coreSpotlightDisplayNameExpression="name" syncable="NO" codeGenerationType="category">
            <attribute name="big" optional="YES" attributeType="Integer 64" defaultValueString="-9223372036854775808" usesScalarValueType="YES" indexed="YES" elementID="large" versionHashModifier="3" syncable="NO"/>
            <attribute name="born" attributeType="Date" minDateTimeInterval="-10.5" minValueString="2000-12-31 23:59:49 +0000" maxDateTimeInterval="978307200" maxValueString="2032-01-02 00:00:00 +0000" defaultDateTimeInterval="388411200" defaultValueString="2013-04-23 12:00:00 +0000" usesScalarValueType="NO"/>
            <attribute name="colour" optional="YES" attributeType="Transformable" valueTransformerName="Paint" customClassName="[Colour]"/>
            <attribute name="flies" attributeType="Boolean" defaultValueString="NO"/>
            <attribute name="home" attributeType="URI" defaultValueString="https://example.org/a?b=c&amp;d"/>
            <attribute name="key" attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F"/>
            <attribute name="mood" optional="YES" transient="YES"/>
            <attribute name="name" attributeType="String" minValueString="1" maxValueString="99" defaultValueString="a&#10;&quot;b&quot;" regularExpressionString="^[^&lt;&amp;]*$" spotlightIndexingEnabled="YES" storedInTruthFile="YES">
                <userInfo>
                    <entry key="a" value="1"/>
                    <entry key="b" value=""/>
                </userInfo>
            </attribute>
            <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES" allowsCloudEncryption="YES"/>
            <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="price" attributeType="Decimal" minValueString="-4.5" maxValueString="12345678901234567890.125" defaultValueString="0.3"/>
            <attribute name="quick" attributeType="Double" minValueString="0.1" defaultValueString="0.1"/>
            <attribute name="ratio" attributeType="Float" defaultValueString="1.5"/>
            <attribute name="shout" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
            <attribute name="small" attributeType="Integer 16" minValueString="-5" defaultValueString="-32768"/>
            <relationship name="foes" optional="YES" toMany="YES" minCount="2" maxCount="9" deletionRule="Deny" ordered="YES" destinationEntity="Villain" inverseName="foe" inverseEntity="Villain" elementID="rivals" versionHashModifier="4"/>
            <relationship name="idol" transient="YES" minCount="1" maxCount="1" deletionRule="No Action" destinationEntity="Hero"/>
            <fetchedProperty name="peers" optional="YES" syncable="NO">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Hero" predicateString="name &lt; $FETCH_SOURCE.name" fetchLimit="3"/>
            </fetchedProperty>
            <compoundIndexes>
                <compoundIndex>
                    <index value="name"/>
                    <index value="big"/>
                </compoundIndex>
            </compoundIndexes>
            <fetchIndex name="byName" partialIndexPredicate="big &gt; 5">
                <fetchIndexElement property="name" type="Binary" order="descending"/>
                <fetchIndexElement expression="lowercase:(name)" expressionType="String" type="Binary" order="ascending"/>
            </fetchIndex>
            <fetchIndex name="byPlace">
                <fetchIndexElement property="quick" type="RTree" order="ascending"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                    <constraint value="big"/>
                </uniquenessConstraint>
                <uniquenessConstraint>
                    <constraint value="key"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
            <userInfo>
                <entry key="author" value="me &amp; you"/>
            </userInfo>
        </entity>
        <entity name="Villain" parentEntity="Hero" syncable="YES">
            <relationship name="foe" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="Hero" inverseName="foes" inverseEntity="Hero"/>
        </entity>
        <fetchRequest name="all" entity="Hero" predicateString="name == $NAME" fetchLimit="5" fetchBatchSize="20" includeSubentities="NO" includePropertyValues="NO" includesPendingChanges="NO" returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
        <fetchRequest name="counted" entity="Hero" includesPendingChanges="YES" resultType="2"/>
        <fetchRequest name="named" entity="Hero" includePropertyValues="YES" resultType="1"/>
        <configuration name="Cloud">
            <memberEntity name="Hero"/>
            <memberEntity name="Villain"/>
        </configuration>
        <composite name="Inner">
            <attribute name="z" attributeType="Integer 32" defaultValueString="7"/>
        </composite>
        <composite name="Place">
            <attribute name="lat" attributeType="Double" defaultValueString="0.0"/>
            <attribute name="inner" optional="YES" attributeType="Composite" composite="Inner"/>
        </composite>
        """
        .replacingOccurrences(of: "&gt;", with: ">")

    @Test("what a source cannot say is left out and named")
    func lossesAreNamed() throws {
        let people = PeopleModel()
        let name = try #require(people.person.attributesByName["name"])
        name.setValidationPredicates([NSPredicate(value: true)], withValidationWarnings: ["no"])
        name.userInfo = ["a": 1]
        people.model.versionIdentifiers = ["1", "2"]
        people.model.localizationDictionary = ["a": "b"]
        var template = FetchRequestTemplate(entityName: "Person")
        template.sortKeys = [.init(key: "name", ascending: true)]
        people.model.templatesByName["all"] = template
        let photo = NSAttributeDescription()
        photo.name = "photo"
        photo.type = .binaryData
        photo.defaultValue = Data([1])
        people.person.properties.append(photo)
        let losses = ModelDocument.describing(people.model).losses
        #expect(
            losses == [
                "a validation rule of 'Person.name'", "a validation message of 'Person.name'",
                "a value in the user info of 'Person.name' that is no text",
                "the default of 'Person.photo', for whose type a source has no form",
                "the sort order of the fetch request 'all'", "the version identifiers but the first",
                "the localization dictionary",
            ])
        #expect(try written(people.model).model.entities.count == 4)
    }

    @Test("composites of one name with unlike elements get names of their own")
    func unlikeCompositesAreKeptApart() throws {
        let model = try SourceText.read(
            """
            <entity name="A"><attribute name="x" attributeType="Composite" composite="C"/>
            <attribute name="y" attributeType="Composite" composite="C"/></entity>
            <composite name="C"><attribute name="v" attributeType="String"/></composite>
            """)
        let y = try #require(model.entitiesByName["A"]?.attributesByName["y"] as? NSCompositeAttributeDescription)
        y.elements[0].isOptional = true
        let again = try written(model).model
        let attributes = try #require(again.entitiesByName["A"]?.attributesByName)
        #expect((attributes["y"] as? NSCompositeAttributeDescription)?.elements[0].isOptional == true)
        #expect((attributes["x"] as? NSCompositeAttributeDescription)?.elements[0].isOptional == false)
    }
}
