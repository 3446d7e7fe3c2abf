import CoreData
import CoreDataSyncing
import Foundation
import SwiftData
import TestBasics
import Testing

/// Stores of models that are kept in step.
@Suite struct SyncedModelTests {
    private func settle(_ sessions: SyncSession...) async throws {
        for _ in 0..<3 { for session in sessions { _ = try await session.exchange() } }
    }

    @Test("models of two stores are in step, with composites, lists and relationships")
    func modelsOfTwoStoresAreInStep() async throws {
        let folder = try TemporaryFolder()
        let transport = MemoryTransport()
        let first = try ModelContext.filled(ModelConfiguration(url: folder.url.appending(path: "one.store")))
        let second = ModelContext(
            try ModelContainer(
                for: Shelf.self,
                configurations: ModelConfiguration("two", url: folder.url.appending(path: "two.store"))))
        let stores = try [first, second].map {
            try #require($0.container.persistentStoreCoordinator.persistentStores.first)
        }
        let one = try SyncSession(stores[0], over: transport)
        let two = try SyncSession(stores[1], over: transport)
        try await one.join()
        try await one.exchange()
        try await two.join()
        try await settle(two, one)
        let shelf = try #require(try second.shelf("A"))
        #expect(shelf.tags == ["old", "dusty"] && shelf.room.floor == 1)
        #expect(Set(shelf.volumes.map(\.title)) == ["Emma", "Alps"])
        #expect(shelf.volumes.first { $0.title == "Alps" }?.kind == .atlas)
        shelf.room.name = "Hall"
        shelf.volumes.append(Volume(title: "Added"))
        try second.save()
        try await settle(two, one)
        let fresh = ModelContext(first.container)
        let back = try #require(try fresh.shelf("A"))
        #expect(back.room == Shelf.Room(floor: 1, name: "Hall") && back.volumes.count == 3)
    }
}
