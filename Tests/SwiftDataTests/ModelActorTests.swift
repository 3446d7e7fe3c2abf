import Foundation
import SwiftData
import TestBasics
import Testing

@ModelActor
actor TripKeeper {
    func add(_ code: String) throws -> PersistentIdentifier {
        let trip = Trip(code: code, name: "by the actor")
        modelContext.insert(trip)
        try modelContext.save()
        return trip.persistentModelID
    }

    func name(of identifier: PersistentIdentifier) -> String? { self[identifier, as: Trip.self]?.name }

    func isOwner(of identifier: PersistentIdentifier) -> Bool { self[identifier, as: Owner.self] != nil }

    func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Trip>()) }
}

@Suite struct ModelActorTests {
    @Test func actorsSaveBesideEachOther() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: folder.url.appending(path: "a.store")))
        let keepers = (0..<4).map { _ in TripKeeper(modelContainer: container) }
        let identifiers = try await withThrowingTaskGroup(of: PersistentIdentifier.self) { group in
            for number in 0..<40 { group.addTask { try await keepers[number % 4].add("code \(number)") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(identifiers).count == 40)
        #expect(try await keepers[0].count() == 40)
        #expect(await keepers[1].name(of: identifiers[0]) == "by the actor")
        #expect(await keepers[1].isOwner(of: identifiers[0]) == false)
    }

    @MainActor @Test func mainContextSeesWhatAnActorSaved() async throws {
        let container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let identifier = try await TripKeeper(modelContainer: container).add("m")
        let trip = try #require(container.mainContext.model(for: identifier) as? Trip)
        #expect(trip.code == "m" && container.mainContext === container.mainContext)
    }
}
