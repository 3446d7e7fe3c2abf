import CoreData
import StoreContract
import TestBasics
import Testing

@testable import RandomPeopleSample

@Suite struct PersonTests {
    @Test("random people have names of the lists, a past birthday and a colour (SAMPLE-08)", arguments: StoreKind.all)
    func randomPeople(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let seed = TestSeed.first
        var generator = SeededRandom(seed: seed)
        for _ in 0..<200 { try store.list.addRandomPerson(using: &generator) }
        let people = try store.reopened().list.people()
        #expect(people.count == 200)
        for person in people {
            #expect(AWPerson.firstNames.contains(person.firstName ?? ""), "seed \(seed)")
            #expect(AWPerson.lastNames.contains(person.lastName ?? ""), "seed \(seed)")
            #expect(EyeColor.all.contains { $0.color == person.eyeColor }, "seed \(seed)")
            let birth = try #require(person.dateOfBirth)
            #expect(birth < Date() && person.yearOfBirth == Calendar.ofBirthdays.component(.year, from: birth))
        }
        let keys = people.map { [$0.lastName ?? "", $0.firstName ?? ""] }
        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
        #expect(Set(people.map(\.fullName)).count > 20, "seed \(seed)")
    }

    @Test("the list is sorted by last name, then by first name (SAMPLE-08)", arguments: StoreKind.all)
    func listIsSortedByLastName(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        for (first, last) in [("Peter", "Smith"), ("Mary", "Ali"), ("Anne", "Smith"), ("Adam", "Jones")] {
            try store.add(first, last)
        }
        #expect(try store.names() == ["Mary Ali", "Adam Jones", "Anne Smith", "Peter Smith"])
    }

    @Test("a row shows the full name, the short date of birth and the colour (SAMPLE-08)", arguments: StoreKind.all)
    func rowTexts(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones", EyeColor.named("green"))
        let row = PersonRow(person, locale: Locale(identifier: "en_US"))
        #expect(row.title == "Mary Jones" && row.detail == "Born: 5/1/80" && row.color == EyeColor.named("green"))
        #expect(PersonRow(person, locale: Locale(identifier: "de_DE")).detail == "Born: 01.05.80")
        let nobody = PersonRow(AWPerson.blank(in: store.list.context))
        #expect(nobody.title == "" && nobody.detail == "Born: " && nobody.color == nil)
    }

    @Test(
        "the colour is equal after reload, transient over data or transformable (SAMPLE-08)", arguments: StoreKind.all,
        [PeopleModel.colorData, .transformable])
    func colorAfterReload(kind: StoreKind, version: PeopleModel) throws {
        let store = try PeopleStack(kind, version)
        defer { withExtendedLifetime(store) {} }
        for (name, color) in EyeColor.all { try store.add(name, "", color) }
        try store.add("unknown", "")
        let people = try store.reopened().list.people()
        #expect(people.count == 4)
        for person in people {
            #expect(person is AWPersonWithColorData == (version == .colorData))
            #expect(person.eyeColor == EyeColor.named(person.firstName ?? ""), "\(person.fullName)")
            #expect(person.value(forKey: "eyeColor") as? EyeColor == person.eyeColor && !person.hasChanges)
        }
    }

    @Test("the colour becomes data when it is saved, and new data another colour (SAMPLE-08)", arguments: StoreKind.all)
    func colorPair(kind: StoreKind) throws {
        let store = try PeopleStack(kind, .colorData)
        defer { withExtendedLifetime(store) {} }
        let person = try #require(try store.add("Jane", "Ali") as? AWPersonWithColorData)
        person.eyeColor = EyeColor.named("blue")
        #expect(person.eyeColorData == nil)
        try store.list.context.save()
        #expect(person.eyeColorData == Data([0, 0, 255]))
        person.eyeColorData = Data([0, 255, 0])
        #expect(person.eyeColor == EyeColor.named("green"))
        person.eyeColorData = Data([1])
        #expect(person.eyeColor == nil)
        person.eyeColor = nil
        try store.list.context.save()
        #expect(try store.reopened().list.people().first?.eyeColor == nil)
    }

    @Test(
        "without a first name a person is refused, in words (SAMPLE-08)", arguments: StoreKind.all,
        [nil, ""] as [String?])
    func firstNameIsNeeded(kind: StoreKind, name: String?) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones")
        person.firstName = name
        let error = #expect(throws: NSError.self) { try store.list.context.save() }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSValidationStringTooShortError)
        #expect(error?.localizedDescription == "You must supply a first name")
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "firstName")
        #expect(person.hasChanges && person.firstName == name)
    }

    @Test("a birthday in the future is corrected to now, and its year with it (SAMPLE-08)", arguments: StoreKind.all)
    func futureBirthday(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones")
        let before = Date()
        person.dateOfBirth = before.addingTimeInterval(10 * 366 * 86_400)
        try store.list.context.save()
        let saved = try #require(try store.reopened().list.people().first)
        let birth = try #require(saved.dateOfBirth)
        // A store keeps seconds as a number of its own, which may lose the last digits.
        #expect(birth > before.addingTimeInterval(-1) && birth <= Date())
        #expect(saved.yearOfBirth == Calendar.ofBirthdays.component(.year, from: birth))
    }

    @Test("the year follows the day of birth, and observers are notified once (SAMPLE-08)", arguments: StoreKind.all)
    func yearOfBirth(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones")
        #expect(person.yearOfBirth == 1980)
        var years: [Int] = []
        var names: [String] = []
        let tokens = [
            person.observe(\.yearOfBirth) { person, _ in years.append(person.yearOfBirth) },
            person.observe(\.fullName) { person, _ in names.append(person.fullName) },
        ]
        person.setValue(PeopleStack.mayDay.addingTimeInterval(-86_400 * 366), forKey: "dateOfBirth")
        person.dateOfBirth = nil
        person.lastName = "Ali"
        #expect(years == [1979, 0] && names == ["Mary Ali"])
        withExtendedLifetime(tokens) {}
        person.dateOfBirth = PeopleStack.mayDay
        try store.list.context.save()
        let byYear = NSPredicate(format: "yearOfBirth == 1980")
        #expect(try store.reopened().stack.context.all("Person", byYear).count == 1)
    }
}
