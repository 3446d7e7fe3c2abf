import CoreData
import StoreContract
import TestBasics
import Testing

@Suite(.serialized) struct ValidationErrorTests {
    private func hero(_ context: NSManagedObjectContext) throws -> GuardedHero {
        try #require(context.insert("Hero") as? GuardedHero)
    }

    private struct OwnFailure: Error, Equatable { let number: Int }

    @Test("one failure is itself; those of several objects come together in order (VAL-16)", arguments: StoreKind.all)
    func severalObjects(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let heroes = try (0..<3).map { _ in try hero(context) }
        heroes[1].setValue(-1, forKey: "salary")
        expectError(1620) { try context.save() }
        let one = #expect(throws: NSError.self) { try context.save() }
        #expect(one?.code == 1620 && one?.userInfo[NSDetailedErrorsKey] == nil)
        heroes[2].setValue(99, forKey: "level")
        heroes[0].setValue("abc", forKey: "address")
        let details = NSError(domain: "inner", code: 7, userInfo: ["mark": "kept"])
        heroes[0].whenValidated = {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
                userInfo: [NSDetailedErrorsKey: [details, details]])
        }
        let all = #expect(throws: NSError.self) { try context.save() }
        #expect(all?.code == NSValidationMultipleErrorsError && all?.domain == NSCocoaErrorDomain)
        let errors = all?.userInfo["NSDetailedErrors"] as? [NSError] ?? []
        #expect(errors.map(\.code) == [1680, 1620, 1610])
        heroes[0].setValue(nil, forKey: "address")
        let merged = context.failuresOfSave()
        #expect(merged.map(\.code) == [7, 7, 1620, 1610])
        #expect(merged.first?.userInfo["mark"] as? String == "kept")
        #expect(all?.localizedDescription.isEmpty == false && all?.localizedFailureReason?.contains("address") == true)
        heroes[0].whenValidated = nil
    }

    @Test("an error of a Swift type reaches the caller as it was (VAL-19)", arguments: StoreKind.all)
    func swiftErrorIsUnchanged(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        try hero(context).whenValidated = { throw OwnFailure(number: 42) }
        #expect(throws: OwnFailure(number: 42)) { try context.save() }
        // An error with details that is not Core Data's own is not taken apart.
        let other = NSError(
            domain: "mine", code: 1560, userInfo: [NSDetailedErrorsKey: [NSError(domain: "x", code: 1)]])
        let secondStack = try ValidationModel.stack(kind)
        let second = secondStack.context
        try hero(second).whenValidated = { throw other }
        let error = #expect(throws: NSError.self) { try second.save() }
        #expect(error?.domain == "mine" && error === other)
    }

    @Test("object, key, predicate and value are in the user info by Apple's keys (VAL-17)", arguments: StoreKind.all)
    func contentsOfAnError(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let hero = try hero(context)
        hero.name = "123456789012345678901"
        let info = try #require(context.failuresOfSave().first).userInfo
        #expect(info["NSValidationErrorObject"] as? NSManagedObject === hero)
        #expect(info["NSValidationErrorKey"] as? String == "name")
        #expect((info["NSValidationErrorPredicate"] as? NSPredicate)?.evaluate(with: "short") == true)
        #expect(info["NSValidationErrorValue"] as? String == "123456789012345678901")
    }

    /// Errors of every code that validation gives, each with its key, and words of its rule and value.
    private func everyError(_ kind: StoreKind) throws -> [(NSError, words: [String])] {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let hero = try hero(context)
        var found: [(NSError, words: [String])] = []
        func propose(_ key: String, _ bad: Any?, _ words: String...) {
            var value = bad
            do { try hero.validateValue(&value, forKey: key) } catch { found.append((error as NSError, [key] + words)) }
        }
        propose("name", nil, "required", "none")
        propose("name", "", "at least 1 character", "''")
        propose("name", "a name of more than twenty", "at most 20 characters", "more than twenty")
        propose("salary", -5, "at least 0", "-5")
        propose("salary", 2000, "at most 1000", "2000")
        propose("hired", Date(timeIntervalSinceReferenceDate: -86_400), "2001-01-01", "2000-12-31")
        propose("hired", Date(timeIntervalSinceReferenceDate: 86_400), "2001-01-01", "2001-01-02")
        propose("hired", "today", "Date", "today")
        propose("address", "abc", #"\d{1,3}"#, "abc")
        propose("level", "three", "NSNumber", "three")
        let builder = ModelBuilder()
        builder.entity("Base", ["place": .URIAttributeType])
        builder.entity("Team")
        builder.relationships("Base.teams*", "Team.base", .denyDeleteRule)
        let teams = try #require(builder["Base"].relationshipsByName["teams"])
        (teams.minCount, teams.maxCount, teams.isOptional) = (1, 2, false)
        let otherStack = try Stack(builder.model, kind: kind)
        let other = otherStack.context
        let base = other.insert("Base")
        found += other.failuresOfSave().map { ($0, ["teams", "at least 1 object", "0 objects"]) }
        for _ in 0..<3 { other.insert("Team", ["base": base]) }
        found += other.failuresOfSave().map { ($0, ["teams", "at most 2 objects", "3 objects"]) }
        other.delete(try #require((base.value(forKey: "teams") as? Set<NSManagedObject>)?.first))
        #expect(other.failuresOfSave() == [])
        other.delete(base)
        found += other.failuresOfSave().map { ($0, ["teams", "Deny", "2 objects"]) }
        var value: Any? = "no URI"
        do { try base.validateValue(&value, forKey: "place") } catch {
            found.append((error as NSError, ["place", "URL", "no URI"]))
        }
        return found
    }

    @Test(
        "each code has a description, a reason and advice that name key, rule and value (VAL-18)",
        arguments: StoreKind.all)
    func everyCodeIsReadable(kind: StoreKind) throws {
        let found = try everyError(kind)
        #expect(
            Set(found.map(\.0.code)) == [
                1550, 1570, 1580, 1590, 1600, 1610, 1620, 1630, 1640, 1650, 1660, 1670, 1680, 1690,
            ])
        for (error, words) in found {
            let description = error.localizedDescription
            let reason = try #require(error.localizedFailureReason)
            #expect(description.contains("'\(words[0])'") && description.contains("of entity"), "\(error.code)")
            for word in words { #expect(reason.contains(word), "\(error.code): \(reason)") }
            #expect(error.localizedRecoverySuggestion?.contains("'\(words[0])'") == true, "\(error.code)")
        }
    }

    @Test("a long value is cut in the text and whole in the user info (VAL-18)")
    func longValuesAreCut() throws {
        let stack = try ValidationModel.stack(.inMemory)
        let hero = try hero(stack.context)
        var value: Any? = String(repeating: "long ", count: 10_000)
        let error = #expect(throws: NSError.self) { try hero.validateValue(&value, forKey: "name") }
        #expect((error?.localizedFailureReason?.count ?? 1000) < 200)
        #expect((error?.userInfo[NSValidationValueErrorKey] as? String)?.count == 50_000)
    }

    private func write(_ text: String) throws -> (TemporaryFolder, URL) {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("CoreDataErrors.plist")
        try Data(text.utf8).write(to: url)
        return (folder, url)
    }

    private static let head = #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">"#

    // Only code 1640 is given another text: other tests run at the same time.
    @Test("a property list by code overrides the texts (VAL-18)")
    func propertyListOverrides() throws {
        let (folder, url) = try write(
            Self.head
                + "<dict><key>1640</key><string>{key} of {entity}: {value}? {rule}! {other}</string></dict></plist>")
        try withExtendedLifetime(folder) { try CoreDataErrorTexts.load(contentsOf: url) }
        defer { CoreDataErrorTexts.texts = [:] }
        let stack = try ValidationModel.stack(.inMemory)
        let hero = try hero(stack.context)
        var value: Any? = Date(timeIntervalSinceReferenceDate: -86_400)
        let error = #expect(throws: NSError.self) { try hero.validateValue(&value, forKey: "hired") }
        let expected = "hired of Hero: 2000-12-31T00:00:00Z? not before 2001-01-01T00:00:00Z! {other}"
        #expect(error?.localizedDescription == expected && error?.localizedFailureReason == expected)
        let binary = try PropertyListSerialization.data(
            fromPropertyList: ["1640": "from a binary list"], format: .binary, options: 0)
        try binary.write(to: url)
        try CoreDataErrorTexts.load(contentsOf: url)
        #expect(CoreDataErrorTexts.texts == ["1640": "from a binary list"])
    }

    @Test(
        "a file that is not such a property list is refused (VAL-18)",
        arguments: [
            "", "text", "bplist00", "bplist00\u{0}\u{0}", "<plist>", Self.head + "<array/></plist>",
            Self.head + "<dict><key>1</key><integer>3</integer></dict></plist>",
            Self.head + "<dict><key>1</key><dict/></dict></plist>",
            Self.head + String(repeating: "<array>", count: 100_000), String(repeating: "<dict>", count: 300_000),
        ])
    func otherFilesAreRefused(text: String) throws {
        let (folder, url) = try write(text)
        let error = try #require(throws: (any Error).self) { try CoreDataErrorTexts.load(contentsOf: url) }
        #expect(
            error is ArchiveError || (error as NSError).code == CocoaError.propertyListReadCorrupt.rawValue, "\(error)")
        withExtendedLifetime(folder) {}
        expectError(256) { try CoreDataErrorTexts.load(contentsOf: url.appendingPathComponent("x")) }
    }

    @Test("a predicate in an entity's user info is a rule over several properties (VAL-20)", arguments: StoreKind.all)
    func declaredRules(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity(
            "Hero",
            ["name": .stringAttributeType, "secretIdentity": .stringAttributeType, "age": .integer16AttributeType])
        builder.entity("SuperHero", in: "Hero", ["cape": .booleanAttributeType])
        builder.relationship("Hero.guardian", to: "Hero")
        builder["Hero"].userInfo = [
            NSEntityDescription.validationPredicateKey: "name.length > 0 OR secretIdentity.length > 0",
            NSEntityDescription.validationMessageKey: "Must provide name or secret identity.",
            "validationPredicate.guardian": "age >= 18 OR guardian != nil",
        ]
        builder["SuperHero"].userInfo = ["validationPredicate": "cape = YES OR name != 'Caped'"]
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        let hero = context.insert("SuperHero", ["age": 10, "name": ""])
        let failures = context.failuresOfSave()
        #expect(failures.map(\.code) == [NSManagedObjectValidationError, NSManagedObjectValidationError])
        #expect(failures[0].localizedDescription == "Must provide name or secret identity.")
        #expect(failures[0].userInfo[NSValidationPredicateErrorKey] is NSPredicate)
        #expect(failures[1].localizedDescription.contains("age, guardian"))
        hero.setValue("Caped", forKey: "name")
        hero.setValue(20, forKey: "age")
        #expect(context.failuresOfSave().count == 1)
        hero.setValue(true, forKey: "cape")
        #expect(context.failuresOfSave() == [])
        hero.setValue(nil, forKey: "name")
        #expect(context.failuresOfSave().map(\.localizedDescription) == ["Must provide name or secret identity."])
        context.rollback()
        hero.setValue(17, forKey: "age")
        #expect(context.failuresOfSave().count == 1)
        hero.setValue(hero, forKey: "guardian")
        #expect(context.failuresOfSave() == [])
    }

    @Test(
        "a rule that cannot be understood or evaluated is kept by no object (VAL-20)", arguments: StoreKind.all,
        ["name ==", "nmae = 'x'", "name > 5 AND name.length.length = 2", "name MATCHES '('"])
    func uselessRulesAreKeptByNone(kind: StoreKind, format: String) throws {
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType])
        builder["Hero"].userInfo = ["validationPredicate": format]
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        context.insert("Hero", ["name": "Ann"])
        let failures = context.failuresOfSave()
        #expect(failures.map(\.code) == [NSManagedObjectValidationError])
        #expect(failures.first?.localizedFailureReason?.contains(format) == true)
    }
}
