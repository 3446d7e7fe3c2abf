import CoreDataModeling
import TestBasics
import Testing

/// Defaults and limits that do not fit their type, as shipped models have them.
@Suite struct LenientDefaultTests {
    private static func attribute(_ type: String, _ more: String) throws -> NSAttributeDescription {
        let source = "<entity name=\"Hero\"><attribute name=\"value\" attributeType=\"\(type)\" \(more)/></entity>"
        return try #require(SourceText.read(source).entitiesByName["Hero"]?.attributesByName["value"])
    }

    private static func warnings(_ type: String, _ more: String) -> [String] {
        let source = "<entity name=\"Hero\">\n<attribute name=\"value\" attributeType=\"\(type)\" \(more)/></entity>"
        return ModelCheck.findings(source: SourceText.model(source)).filter { $0.rule.severity == .warning }
            .map { "\($0.place?.line ?? 0) \($0.rule.identifier) \($0.sentence)" }
    }

    @Test(
        "a default that does not fit its type is the number that it begins with, else 0 or NO, and is warned of (MOD-25)",
        arguments: [
            ("Integer 32", "NO", "0"), ("Integer 16", "12 apples", "12"), ("Integer 16", "-3.9", "-3"),
            ("Integer 16", "70000", "32767"), ("Integer 16", "-70000", "-32768"), ("Integer 32", "-", "0"),
            ("Integer 64", "9223372036854775807!", "9223372036854775807"), ("Integer 32", "e5", "0"),
            ("Integer 64", "1e400", "9223372036854775807"), ("Integer 32", " 5e", "5"), ("Boolean", "0.0", "0"),
            ("Boolean", "0.5", "1"), ("Boolean", "y", "1"), ("Boolean", "empty", "0"), ("Double", "2,5", "2"),
            ("Float", ".5.5", "0.5"), ("Double", "zwei", "0"), ("Decimal", "3.25 EUR", "3.25"),
            ("Decimal", "none", "0"),
        ] as [(String, String, String)])
    func unfitNumberIsReadLeniently(type: String, text: String, value: String) throws {
        let attribute = try Self.attribute(type, "defaultValueString=\"\(text)\"")
        #expect(ExactNumber(attribute.defaultValue)?.decimal == Decimal(string: value))
        let warnings = Self.warnings(type, "defaultValueString=\"\(text)\"")
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("4 default-type 'Hero.value' has the default '\(text)'") == true)
    }

    @Test(
        "a default that does not fit a type without numbers is dropped with a warning (MOD-25)",
        arguments: [("UUID", "defaultValueString", "empy"), ("Date", "defaultDateTimeInterval", "soon")])
    func unfitIdentifierIsDropped(type: String, key: String, text: String) throws {
        #expect(try Self.attribute(type, "\(key)=\"\(text)\"").defaultValue == nil)
        #expect(
            Self.warnings(type, "\(key)=\"\(text)\"") == [
                "4 default-type 'Hero.value' has the default '\(text)', which its type does not allow; it has none then"
            ])
    }

    @Test("a default that fits is read as before and not warned of (MOD-25)")
    func fittingDefaultIsNotWarnedOf() throws {
        for (type, text) in [("Integer 32", "3.0"), ("Boolean", "true"), ("Double", "1e3"), ("String", "NO")] {
            #expect(Self.warnings(type, "defaultValueString=\"\(text)\"") == [])
        }
    }

    @Test("a limit that does not fit its type limits nothing, and is warned of (MOD-25)")
    func unfitLimitIsLeftOut() throws {
        let limits = #"minValueString="low" maxValueString="9""#
        #expect(try Self.attribute("Integer 16", limits).validationRules.map(\.check) == [.maximum(9)])
        #expect(try Self.attribute("String", limits).validationRules.map(\.check) == [.maximumLength(9)])
        #expect(try Self.attribute("Date", #"minDateTimeInterval="low""#).validationRules.isEmpty)
        let text = "4 limit-type 'Hero.value' has the limit 'low', which its type does not allow and which is left out"
        #expect(Self.warnings("Integer 16", limits) == [text])
        #expect(Self.warnings("String", limits) == [text])
    }

    @Test("a source that is written says unfit texts as they were, until the default is set again (MOD-25, MOD-31)")
    func unfitTextIsWrittenAsItWas() throws {
        let source = #"<attribute name="a" attributeType="Integer 16" defaultValueString="NO" minValueString="low"/>"#
        let model = try SourceText.read("<entity name=\"Hero\">\(source)</entity>")
        func written() -> String {
            String(decoding: ModelDocument.describing(model).document.data, as: UTF8.self)
        }
        #expect(written().contains(#"defaultValueString="NO""#) && written().contains(#"minValueString="low""#))
        model.entitiesByName["Hero"]?.attributesByName["a"]?.defaultValue = 7
        #expect(written().contains(#"defaultValueString="7""#) && written().contains(#"minValueString="low""#))
    }

    @Test("the elements of a composite are read leniently and warned of too (MOD-25)")
    func compositeElements() throws {
        let source = """
            <entity name="Hero"><attribute name="place" attributeType="Composite" composite="Place"/></entity>
            <composite name="Place"><attribute name="x" optional="YES" attributeType="Double" defaultValueString="NO"/></composite>
            """
        let place = try SourceText.read(source).entitiesByName["Hero"]?.attributesByName["place"]
        let elements = (place as? NSCompositeAttributeDescription)?.elements
        #expect(elements?.first?.defaultValue as? Double == 0)
        let found = ModelCheck.findings(source: SourceText.model(source)).filter {
            $0.rule.identifier == "default-type"
        }
        #expect(found.map(\.place?.line) == [4])
        #expect(found.first?.sentence.hasPrefix("'Place.x' has the default 'NO'") == true)
    }

    @Test(
        "every model source among the fixtures is read (MOD-03, MOD-25)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func everyFixtureIsRead() throws {
        for path in FixtureSupport.paths(endingIn: ".xcdatamodel") {
            do {
                _ = try NSManagedObjectModel(reading: Fixtures.url(path))
            } catch {
                Issue.record("\(path): \(error)")
            }
        }
    }
}
