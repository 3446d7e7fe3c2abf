import CoreData
import Foundation
import TestBasics
import Testing

@testable import SwiftData

/// Schemas of Swift sources against those of stores that Apple's framework wrote.
@Suite struct SchemaTests {
    private static let carts =
        "stores/swiftdata-cartkit/Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite"
    private static let users = "stores/swiftdata-freezeray/FreezeRayTestApp/FreezeRay/Fixtures"

    private func storedHashes(_ path: String) throws -> [String: Data] {
        let url = try Fixtures.copyOfStore(path)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        return try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
    }

    @Test func hashesOfCartsEqualThoseOfTheStore() throws {
        let model = Schema(CartModel.self).makeManagedObjectModel()
        let stored = try storedHashes(Self.carts)
        #expect(stored.count == 3)
        for (name, hash) in stored {
            #expect(model.entityVersionHashesByName[name] == hash, "\(name)")
        }
    }

    @Test func hashesOfBothVersionsOfOneNameEqualThoseOfTheirStores() throws {
        for (schema, folder) in [
            (Schema(versionedSchema: UsersV1.self), "1.0.0/App-1_0_0"),
            (Schema(versionedSchema: UsersV2.self), "2.0.0/App-2_0_0"),
        ] {
            let model = schema.makeManagedObjectModel()
            let stored = try storedHashes("\(Self.users)/\(folder).sqlite")
            #expect(model.entityVersionHashesByName == stored, "\(folder)")
            #expect(model.versionIdentifiers == [schema.version.description as AnyHashable])
        }
    }

    /// The hashes of two entities of a published store with composites, from its metadata.
    @Test func hashesOfCompositesEqualKnownOnes() throws {
        let model = Schema(Ingredient.self).makeManagedObjectModel()
        let hashes = model.entityVersionHashesByName
        #expect(hashes["Ingredient"]?.base64EncodedString() == "SjufMt9CruGesYa2rQOtV8ls0/tFMmcaQGPaIALPxho=")
        #expect(hashes["IngredientBase"]?.base64EncodedString() == "oBdlOYmpobZCZ04XjyHQ+YMYDvaybcFnNgY1Nasi5hU=")
    }

    @Test func kindsOfAttributesFollowTheTypes() throws {
        let schema = Schema(Trip.self)
        #expect(schema.entities.map(\.name) == ["Owner", "Stop", "Trip"])
        let model = schema.makeManagedObjectModel()
        let trip = try #require(model.entitiesByName["Trip"])
        let types = trip.attributesByName.mapValues(\.attributeType)
        #expect(types["rating"] == .integer64AttributeType && types["budget"] == .decimalAttributeType)
        #expect(types["tags"] == .transformableAttributeType && types["site"] == .URIAttributeType)
        #expect(types["kind"] == .compositeAttributeType && types["identifier"] == .UUIDAttributeType)
        #expect(types["scratch"] == nil && types["title"] == nil)
        #expect(trip.attributesByName["draft"]?.isTransient == true)
        #expect(trip.attributesByName["photo"]?.allowsExternalBinaryDataStorage == true)
        let mood = try #require(trip.attributesByName["mood"] as? NSCompositeAttributeDescription)
        #expect(
            mood.elements.map(\.name) == ["happy", "sad"] && mood.userInfo?["enum"] as? [String] == ["happy", "sad"])
        let place = try #require(trip.attributesByName["place"] as? NSCompositeAttributeDescription)
        #expect(place.elements.map(\.name) == ["city", "latitude", "notes", "altitude"])
        #expect(place.elements.map(\.attributeType).contains(.binaryDataAttributeType))
        #expect(trip.relationshipsByName["stops"]?.inverseRelationship?.name == "trip")
        #expect(trip.relationshipsByName["owner"]?.inverseRelationship?.name == "trips")
        #expect(trip.uniquenessConstraints as? [[String]] == [["code"]])
        #expect(trip.indexes.map(\.name) == ["SwiftDataIndexOnBinaryname", "SwiftDataIndexOnBinarynamestart"])
        #expect(schema.entity(for: Trip.self)?.attributesByName["rating"]?.defaultValue as? Int == 3)
    }

    @Test func twoVersionsOfOneNameAreTwoModels() throws {
        let both = Schema([UsersV1.User.self, UsersV2.User.self])
        #expect {
            try ModelContainer(for: both, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        } throws: {
            "\($0)".contains("Two models of the schema are called 'User'")
        }
        let container = try ModelContainer(
            for: Schema(versionedSchema: UsersV2.self), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        #expect { try context.fetch(FetchDescriptor<UsersV1.User>()) } throws: { SwiftDataError.unknownSchema ~= $0 }
        context.insert(UsersV2.User(name: "a", email: nil, createdAt: Date()))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<UsersV2.User>()).count == 1)
    }

    @Test func storeOfAppleIsReadAndEdited() throws {
        let url = try Fixtures.copyOfStore(Self.carts)
        let container = try ModelContainer(for: CartModel.self, configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        let carts = try context.fetch(FetchDescriptor<CartModel>(sortBy: [SortDescriptor(\.id)]))
        #expect(!carts.isEmpty)
        let cart = try #require(carts.first)
        #expect(!cart.id.isEmpty && !cart.storeId.isEmpty)
        let items = cart.items
        cart.displayName = "edited"
        context.insert(CartModel(id: "new", storeId: "s", status: "active", createdAt: Date(), updatedAt: Date()))
        try context.save()
        let again = ModelContext(try ModelContainer(for: CartModel.self, configurations: ModelConfiguration(url: url)))
        let after = try again.fetch(FetchDescriptor<CartModel>(sortBy: [SortDescriptor(\.id)]))
        #expect(after.count == carts.count + 1)
        let edited = try #require(after.first { $0.id == cart.id })
        #expect(edited.displayName == "edited" && edited.items.map(\.id) == items.map(\.id))
    }
}
