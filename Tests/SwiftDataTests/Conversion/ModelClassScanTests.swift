import CoreData
import CoreDataSourcePorting
import Foundation
import TestBasics
import Testing

@testable import SwiftData

/// Models as `coredata model` reads them from sources, against those of the compiled classes.
@Suite struct ModelClassScanTests {
    private static let models = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Models")

    private func scan(_ name: String) throws -> ModelClassScan {
        try ModelClassScan(of: [Self.models.appending(path: "\(name).swift").path])
    }

    @Test(
        "models read from sources have the hashes of the compiled classes",
        arguments: [
            ("Travel", Schema(Trip.self)), ("Ledger", Schema(Entry.self)), ("Ingredients", Schema(Ingredient.self)),
            ("Carts", Schema(CartModel.self)), ("Options", Schema(Parcel.self)),
            ("Constants", Schema(Invoice.self)),
        ]) func hashesEqualThoseOfTheClasses(file: String, schema: Schema) throws
    {
        let compiled = schema.makeManagedObjectModel()
        let read = try #require(try scan(file).versions.last).model
        for (name, hash) in compiled.entityVersionHashesByName {
            #expect(read.entityVersionHashesByName[name] == hash, "\(name)")
        }
    }

    @Test func eachVersionedSchemaIsAVersion() throws {
        let versions = try scan("People").versions
        #expect(versions.map(\.name) == ["PeopleV1", "LibraryV1", "PeopleV2", "LibraryV2", "PeopleV3"])
        let schemas = [
            Schema(versionedSchema: PeopleV1.self), Schema(versionedSchema: LibraryV1.self),
            Schema(versionedSchema: PeopleV2.self), Schema(versionedSchema: LibraryV2.self),
            Schema(versionedSchema: PeopleV3.self),
        ]
        for (version, schema) in zip(versions, schemas) where !version.name.hasPrefix("Library") {
            let compiled = schema.makeManagedObjectModel()
            #expect(version.model.entityVersionHashesByName == compiled.entityVersionHashesByName, "\(version.name)")
            #expect(version.model.versionIdentifiers == compiled.versionIdentifiers)
        }
        let users = try scan("Versions").versions
        #expect(users.map(\.name) == ["UsersV1", "UsersV2"])
    }

    @Test func renamedPropertiesKeepTheirOldNames() throws {
        let versions = try scan("People").versions
        let person = try #require(versions.last?.model.entitiesByName["Person"])
        #expect(person.propertiesByName["givenName"]?.renamingIdentifier == "first")
        #expect(person.relationshipsByName["pets"]?.deleteRule == .cascadeDeleteRule)
        #expect(person.relationshipsByName["pets"]?.inverseRelationship?.name == "keeper")
    }

    @Test func placesNameFileAndLine() throws {
        let version = try #require(try scan("Versions").versions.last)
        let text = try String(contentsOf: Self.models.appending(path: "Versions.swift"), encoding: .utf8)
        let line = text.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.contains("var email") }
        #expect(version.places["User.email"]?.line == line.map { $0 + 1 })
        #expect(version.places["User.email"]?.file.hasSuffix("Models/Versions.swift") == true)
    }
}
