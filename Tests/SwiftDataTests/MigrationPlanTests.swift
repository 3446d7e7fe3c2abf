import Foundation
import SwiftData
import TestBasics
import Testing

/// Migration of stores through the stages of a plan.
@Suite struct MigrationPlanTests {
    private let folder: TemporaryFolder
    private let configuration: ModelConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = ModelConfiguration(url: folder.url.appending(path: "people.store"))
    }

    private func makeFirstVersion(names: [String] = ["Ada Lovelace", "Alan Turing"]) throws {
        let schema = Schema(versionedSchema: PeopleV1.self)
        let context = ModelContext(try ModelContainer(for: schema, configurations: configuration))
        for name in names {
            let person = PeopleV1.Person(fullName: name)
            person.pets = [PeopleV1.Pet(name: "cat"), PeopleV1.Pet(name: "of \(name)")]
            context.insert(person)
        }
        try context.save()
    }

    private func open(
        _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?
    ) throws -> ModelContext {
        let schema = Schema(versionedSchema: version)
        return ModelContext(
            try ModelContainer(for: schema, migrationPlan: plan, configurations: configuration))
    }

    /// The bytes of all files beside the store, by name.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
                .map { ($0, try Data(contentsOf: folder.url.appending(path: $0))) })
    }

    @Test func stagesLeadFromTheFirstVersionToTheLast() throws {
        try makeFirstVersion(names: ["Ada Lovelace", "Alan Turing", ""])
        let context = try open(PeopleV3.self, PeoplePlan.self)
        let people = try context.fetch(FetchDescriptor<PeopleV3.Person>(sortBy: [SortDescriptor(\.givenName)]))
        #expect(people.map(\.givenName) == ["", "Ada", "Alan"])
        #expect(people.map(\.last) == ["unknown", "Lovelace", "Turing"])
        let pets = try context.fetch(FetchDescriptor<PeopleV3.Pet>(sortBy: [SortDescriptor(\.name)]))
        #expect(pets.map(\.name) == ["cat", "of ", "of Ada Lovelace", "of Alan Turing"])
        #expect(people.flatMap(\.pets).count == 4 && pets.allSatisfy { $0.keeper != nil })
        #expect(context.container.migrationPlan.map { $0 == PeoplePlan.self } == true)
        #expect(try files().keys.allSatisfy { $0.hasPrefix("people.store") })
    }

    @Test func stageSeesTheModelsOfBothVersions() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [PeopleV1.self, PeopleV2.self] }
            static var stages: [MigrationStage] {
                [
                    .transform(fromVersion: PeopleV1.self, toVersion: PeopleV2.self) { old, new in
                        for former in try old.fetch(FetchDescriptor<PeopleV1.Person>()) {
                            let name = former.fullName
                            let present = try new.fetch(
                                FetchDescriptor<PeopleV2.Person>(predicate: #Predicate { $0.fullName == name }))
                            present.first?.last = "\(former.pets.count) pets"
                        }
                        old.insert(PeopleV1.Person(fullName: "may not be saved"))
                        #expect(throws: (any Error).self) { try old.save() }
                    }
                ]
            }
        }
        try makeFirstVersion()
        let context = try open(PeopleV2.self, Plan.self)
        let people = try context.fetch(FetchDescriptor<PeopleV2.Person>(sortBy: [SortDescriptor(\.fullName)]))
        #expect(people.map(\.fullName) == ["Ada Lovelace", "Alan Turing"])
        #expect(people.map(\.last) == ["2 pets", "2 pets"] && people.map(\.pets.count) == [2, 2])
        #expect(try files().keys.sorted() == ["people.store"])
    }

    @Test func failedTransformationKeepsTheStore() throws {
        struct Refusal: Error {}
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [PeopleV1.self, PeopleV2.self] }
            static var stages: [MigrationStage] {
                [
                    .transform(fromVersion: PeopleV1.self, toVersion: PeopleV2.self) { _, new in
                        try new.delete(model: PeopleV2.Person.self)
                        throw Refusal()
                    }
                ]
            }
        }
        try makeFirstVersion()
        let before = try files()
        #expect {
            _ = try open(PeopleV2.self, Plan.self)
        } throws: {
            "\($0)".contains("Refusal")
        }
        #expect(try files() == before)
    }

    @Test func stagesBeginAtTheVersionOfTheStore() throws {
        try makeFirstVersion()
        do {
            let context = try open(PeopleV2.self, LightPeoplePlan.self)
            let people = try context.fetch(FetchDescriptor<PeopleV2.Person>(sortBy: [SortDescriptor(\.fullName)]))
            #expect(people.map(\.fullName) == ["Ada Lovelace", "Alan Turing"] && people.allSatisfy { $0.last == nil })
            people[0].last = "Byron"
            try context.save()
        }
        let context = try open(PeopleV3.self, PeoplePlan.self)
        let names = try context.fetch(FetchDescriptor<PeopleV3.Person>(sortBy: [SortDescriptor(\.last)])).map(\.last)
        #expect(names == ["Byron", "unknown"])
    }

    @Test func storeOfThePresentVersionIsNotChanged() throws {
        do {
            let context = try open(PeopleV3.self, PeoplePlan.self)
            context.insert(PeopleV3.Person(givenName: "Grace", last: "Hopper"))
            try context.save()
        }
        _ = try open(PeopleV3.self, PeoplePlan.self)
        let before = try files()
        let context = try open(PeopleV3.self, PeoplePlan.self)
        #expect(try context.fetch(FetchDescriptor<PeopleV3.Person>()).map(\.last) == ["Hopper"])
        #expect(try files() == before)
    }

    @Test func storeIsAsItWasAfterAStageFailed() throws {
        try makeFirstVersion()
        let before = try files()
        #expect {
            _ = try open(PeopleV3.self, FailingPeoplePlan.self)
        } throws: { error in
            SwiftDataError.loadIssueModelContainer ~= error && "\(error)".contains("Refusal")
                && "\(error)".contains("2.0.0 (PeopleV2)")
        }
        #expect(try files() == before)
        let context = try open(PeopleV1.self, nil)
        #expect(try context.fetchCount(FetchDescriptor<PeopleV1.Pet>()) == 4)
        #expect(try context.fetchCount(FetchDescriptor<PeopleV1.Person>()) == 2)
    }

    @Test func missingValueEndsTheMigrationAndKeepsTheStore() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { PeoplePlan.schemas }
            static var stages: [MigrationStage] {
                [
                    .lightweight(fromVersion: PeopleV1.self, toVersion: PeopleV2.self),
                    .custom(
                        fromVersion: PeopleV2.self, toVersion: PeopleV3.self, willMigrate: nil, didMigrate: nil),
                ]
            }
        }
        try makeFirstVersion()
        let before = try files()
        #expect(throws: (any Error).self) { try open(PeopleV3.self, Plan.self) }
        #expect(try files() == before)
    }

    @Test func unknownVersionNamesTheNearestAndWhatDiffers() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [PeopleV2.self, PeopleV3.self] }
            static var stages: [MigrationStage] { [PeoplePlan.require] }
        }
        try makeFirstVersion()
        let before = try files()
        #expect {
            _ = try open(PeopleV3.self, Plan.self)
        } throws: { error in
            let text = "\(error)"
            return SwiftDataError.unknownSchema ~= error && text.contains("The nearest is 2.0.0 (PeopleV2)")
                && text.contains("Person.first is not in the store")
                && text.contains("Person.last is not in the store")
        }
        #expect(try files() == before)
    }

    @Test func newerStoreIsRefused() throws {
        do { _ = try open(PeopleV3.self, PeoplePlan.self) }
        #expect {
            _ = try open(PeopleV2.self, PeoplePlan.self)
        } throws: { error in
            SwiftDataError.backwardMigration ~= error && "\(error)".contains("3.0.0 (PeopleV3)")
        }
    }

    @Test func storeThatIsOpenElsewhereIsNotMigrated() throws {
        try makeFirstVersion()
        let holder = try open(PeopleV1.self, nil)
        #expect(throws: (any Error).self) { try open(PeopleV3.self, PeoplePlan.self) }
        #expect(try holder.fetchCount(FetchDescriptor<PeopleV1.Pet>()) == 4)
    }

    @Test func stageToAStrangeVersionIsAnError() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [PeopleV1.self, PeopleV3.self] }
            static var stages: [MigrationStage] { [PeoplePlan.split] }
        }
        try makeFirstVersion()
        #expect {
            _ = try open(PeopleV3.self, Plan.self)
        } throws: { error in
            SwiftDataError.loadIssueModelContainer ~= error && "\(error)".contains("PeopleV2")
        }
    }

    @Test func readOnlyStoreOfAnOlderVersionIsRefused() throws {
        try makeFirstVersion()
        let before = try files()
        let configuration = ModelConfiguration(url: configuration.url, allowsSave: false)
        #expect(throws: (any Error).self) {
            try ModelContainer(
                for: Schema(versionedSchema: PeopleV3.self), migrationPlan: PeoplePlan.self,
                configurations: configuration)
        }
        #expect(try files() == before)
    }

    @Test func fileThatIsNoStoreIsAnErrorAndRemains() throws {
        try Data("not a store, but a text".utf8).write(to: configuration.url)
        #expect(throws: (any Error).self) { try open(PeopleV3.self, PeoplePlan.self) }
        #expect(try Data(contentsOf: configuration.url) == Data("not a store, but a text".utf8))
    }

    @Test func historyAndIdentifiersOutliveTheStages() throws {
        try makeFirstVersion()
        let before = try open(PeopleV1.self, nil).fetchIdentifiers(FetchDescriptor<PeopleV1.Person>()).map {
            try JSONEncoder().encode($0)
        }
        let context = try open(PeopleV3.self, PeoplePlan.self)
        let found = try before.map {
            context.model(for: try JSONDecoder().decode(PersistentIdentifier.self, from: $0)) as? PeopleV3.Person
        }
        #expect(Set(found.compactMap { $0?.last }) == ["Lovelace", "Turing"])
    }

    @Test func storesOfSeveralConfigurationsAreMigratedByThemselves() throws {
        let people = folder.url.appending(path: "people.store")
        let notes = ModelConfiguration(
            "notes", schema: Schema(NotesV1.Note.self), url: folder.url.appending(path: "notes.store"))
        do {
            let first = ModelConfiguration("people", schema: Schema(PeopleV1.Person.self), url: people)
            let context = ModelContext(
                try ModelContainer(for: Schema(versionedSchema: LibraryV1.self), configurations: first, notes))
            context.insert(PeopleV1.Person(fullName: "Ada"))
            context.insert(NotesV1.Note(text: "kept"))
            try context.save()
        }
        let before = try files()
        let second = ModelConfiguration("people", schema: Schema(PeopleV2.Person.self), url: people)
        do {
            let context = ModelContext(
                try ModelContainer(
                    for: Schema(versionedSchema: LibraryV2.self), migrationPlan: LibraryPlan.self,
                    configurations: second, notes))
            #expect(try context.fetch(FetchDescriptor<PeopleV2.Person>()).map(\.last) == ["Ada"])
            #expect(try context.fetch(FetchDescriptor<NotesV1.Note>()).map(\.text) == ["kept"])
        }
        let after = try files()
        #expect(after["notes.store"] == before["notes.store"] && after["people.store"] != before["people.store"])
    }

    @Test func schemaAfterTheLastVersionOfThePlanIsInferred() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [PeopleV1.self] }
            static var stages: [MigrationStage] { [] }
        }
        try makeFirstVersion()
        let context = try open(PeopleV2.self, Plan.self)
        #expect(try context.fetch(FetchDescriptor<PeopleV2.Person>()).allSatisfy { $0.first == nil })
        #expect(try context.fetchCount(FetchDescriptor<PeopleV2.Pet>()) == 4)
    }
}
