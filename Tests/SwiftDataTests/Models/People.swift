import Foundation
import SwiftData

/// Three versions of a class with one name: a text is split, and then made mandatory.
enum PeopleV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Pet.self] }

    @Model
    final class Person {
        var fullName: String
        @Relationship(deleteRule: .cascade, inverse: \Pet.keeper) var pets: [Pet] = []

        init(fullName: String) { self.fullName = fullName }
    }

    @Model
    final class Pet {
        var name: String
        var keeper: Person?
        init(name: String) { self.name = name }
    }
}

enum PeopleV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Pet.self] }

    @Model
    final class Person {
        var fullName: String
        var first: String?
        var last: String?
        @Relationship(deleteRule: .cascade, inverse: \Pet.keeper) var pets: [Pet] = []

        init(fullName: String) { self.fullName = fullName }
    }

    @Model
    final class Pet {
        var name: String
        var keeper: Person?
        init(name: String) { self.name = name }
    }
}

enum PeopleV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Pet.self] }

    @Model
    final class Person {
        @Attribute(originalName: "first") var givenName: String
        var last: String
        @Relationship(deleteRule: .cascade, inverse: \Pet.keeper) var pets: [Pet] = []

        init(givenName: String, last: String) {
            self.givenName = givenName
            self.last = last
        }
    }

    @Model
    final class Pet {
        @Attribute(.unique) var name: String
        var keeper: Person?
        init(name: String) { self.name = name }
    }
}

enum PeoplePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PeopleV1.self, PeopleV2.self, PeopleV3.self] }
    static var stages: [MigrationStage] { [split, require] }

    static let split = MigrationStage.custom(
        fromVersion: PeopleV1.self, toVersion: PeopleV2.self, willMigrate: nil,
        didMigrate: { context in
            for person in try context.fetch(FetchDescriptor<PeopleV2.Person>()) {
                let words = person.fullName.split(separator: " ").map(String.init)
                person.first = words.first
                person.last = words.last
            }
            try context.save()
        })

    /// The function before the stage makes the values that the next version demands, and leaves them unsaved.
    static let require = MigrationStage.custom(
        fromVersion: PeopleV2.self, toVersion: PeopleV3.self,
        willMigrate: { context in
            let nameless = FetchDescriptor<PeopleV2.Person>(predicate: #Predicate { $0.first == nil || $0.last == nil })
            for person in try context.fetch(nameless) {
                person.first = person.first ?? ""
                person.last = person.last ?? "unknown"
            }
            var names: Set<String> = []
            for pet in try context.fetch(FetchDescriptor<PeopleV2.Pet>(sortBy: [SortDescriptor(\.name)]))
            where !names.insert(pet.name).inserted {
                context.delete(pet)
            }
        }, didMigrate: nil)
}

/// The same versions with stages by inference alone, to the second one.
enum LightPeoplePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PeopleV1.self, PeopleV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: PeopleV1.self, toVersion: PeopleV2.self)] }
}

/// A plan whose second stage fails after the first has been made.
enum FailingPeoplePlan: SchemaMigrationPlan {
    struct Refusal: Error {}
    static var schemas: [any VersionedSchema.Type] { PeoplePlan.schemas }
    static var stages: [MigrationStage] {
        [
            PeoplePlan.split,
            .custom(
                fromVersion: PeopleV2.self, toVersion: PeopleV3.self,
                willMigrate: { context in
                    try context.delete(model: PeopleV2.Pet.self)
                    try context.save()
                    throw Refusal()
                }, didMigrate: nil),
        ]
    }
}

/// Versions whose models are in two stores, of which one changes.
enum LibraryV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [PeopleV1.Person.self, NotesV1.Note.self] }
}

enum LibraryV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [PeopleV2.Person.self, NotesV1.Note.self] }
}

enum LibraryPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: LibraryV1.self, toVersion: LibraryV2.self, willMigrate: nil,
                didMigrate: { context in
                    for person in try context.fetch(FetchDescriptor<PeopleV2.Person>()) {
                        person.last = person.fullName
                    }
                })
        ]
    }
}
