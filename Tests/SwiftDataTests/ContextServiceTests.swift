import Foundation
import SwiftData
import TestBasics
import Testing

/// Notifications, fetches in batches, erasing, and places of stores.
@Suite struct ContextServiceTests {
    private let folder: TemporaryFolder
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.url.appending(path: "trips.store"))
        context = ModelContext(try ModelContainer(for: Trip.self, configurations: configuration))
    }

    @Test func contextsAndContainersEqualThemselvesAlone() throws {
        let other = ModelContext(context.container)
        #expect(context == context && context != other)
        #expect(context.container == other.container)
        let stores = ModelConfiguration(isStoredInMemoryOnly: true)
        #expect(try ModelContainer(for: Trip.self, configurations: stores) != context.container)
    }

    @Test func notificationsNameTheModels() throws {
        let (before, after) = (
            Occurrences(of: ModelContext.willSave, by: context), Occurrences(of: ModelContext.didSave, by: context)
        )
        let (kept, gone) = (Trip(code: "a", name: "a"), Trip(code: "b", name: "b"))
        context.insert(kept)
        context.insert(gone)
        try context.save()
        #expect(identifiers(after, .insertedIdentifiers) == [kept.persistentModelID, gone.persistentModelID].sorted())
        let tokens = after.last?.userInfo?[ModelContext.NotificationKey.historyTokens.rawValue]
        let first = try #require((tokens as? [String: any HistoryToken])?.values.first as? DefaultHistoryToken)
        let goneID = gone.persistentModelID
        kept.name = "changed"
        context.delete(gone)
        context.insert(Trip(code: "c", name: "c"))
        try context.save()
        #expect(identifiers(after, .updatedIdentifiers) == [kept.persistentModelID])
        #expect(identifiers(after, .deletedIdentifiers) == [goneID])
        #expect(identifiers(after, .insertedIdentifiers)?.count == 1)
        try context.save()
        #expect(before.count == 2 && after.count == 2)
        let later = try context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > first }))
        #expect(later.count == 1)
    }

    private func identifiers(
        _ occurrences: Occurrences, _ key: ModelContext.NotificationKey
    ) -> [PersistentIdentifier]? {
        occurrences.last?.userInfo?[key.rawValue] as? [PersistentIdentifier]
    }

    @Test func resultsAreReadInBatches() throws {
        for number in 0..<250 { context.insert(Trip(code: "\(1_000 + number)", name: "n\(number % 2)")) }
        try context.save()
        let reader = ModelContext(context.container)
        let descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.name == "n1" }, sortBy: [SortDescriptor(\.code, order: .reverse)])
        let trips = try reader.fetch(descriptor, batchSize: 20)
        #expect(trips.count == 125 && trips.first?.code == "1249" && trips[124].code == "1001")
        #expect(trips.map(\.code) == (0..<125).map { "\(1_249 - 2 * $0)" })
        #expect(trips[60] === trips[60] && trips.dropFirst(100).count == 25)
        let identifiers = try reader.fetchIdentifiers(descriptor, batchSize: 7)
        #expect(identifiers.count == 125 && identifiers[3] == trips[3].persistentModelID)
        #expect(try reader.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "x" }), batchSize: 5).isEmpty)
        try context.delete(model: Trip.self, where: #Predicate { $0.code == "1001" })
        try context.save()
        let last = try ModelContext(context.container).fetch(descriptor, batchSize: 0)
        #expect(last.count == 124 && last.last?.code == "1003")
    }

    @Test func batchesHaveUnsavedModels() throws {
        context.insert(Trip(code: "1", name: "saved"))
        try context.save()
        context.insert(Trip(code: "2", name: "new"))
        let all = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)]), batchSize: 1)
        #expect(all.map(\.name) == ["saved", "new"])
        var names: [String] = []
        try context.enumerate(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)]), batchSize: 1) {
            names.append($0.name)
        }
        #expect(names == ["saved", "new"])
    }

    @Test func erasedContainerIsEmptyAndUsable() throws {
        context.insert(Trip(code: "1", name: "n"))
        try context.save()
        try context.container.erase()
        let fresh = ModelContext(context.container)
        #expect(try fresh.fetchCount(FetchDescriptor<Trip>()) == 0)
        fresh.insert(Trip(code: "1", name: "again"))
        try fresh.save()
        let memory = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let other = ModelContext(memory)
        other.insert(Trip(code: "1", name: "n"))
        try other.save()
        memory.deleteAllData()
        #expect(try ModelContext(memory).fetchCount(FetchDescriptor<Trip>()) == 0)
    }

    @Test func storesOfGroupsHaveTheirFolder() throws {
        let own = ModelConfiguration("notes")
        let shared = ModelConfiguration("notes", groupContainer: .identifier("group.example"))
        #expect(own.url.lastPathComponent == "notes.store" && shared.url.lastPathComponent == "notes.store")
        #expect(shared.url.path.hasSuffix("Group Containers/group.example/notes.store") && own.url != shared.url)
        #expect(ModelConfiguration("notes", groupContainer: .none, cloudKitDatabase: .private("x")).url == own.url)
        #expect {
            try ModelContainer(for: Trip.self, configurations: ModelConfiguration("a/b"))
        } throws: {
            SwiftDataError.configurationFileNameContainsInvalidCharacters ~= $0
        }
        #expect {
            try ModelContainer(
                for: Trip.self, configurations: ModelConfiguration(String(repeating: "x", count: 300)))
        } throws: {
            SwiftDataError.configurationFileNameTooLong ~= $0
        }
    }

    @Test func modelWhoseRowIsGoneCanBeRead() throws {
        let trip = Trip(code: "1", name: "n")
        (trip.kind, trip.mood, trip.place) = (.work, .sad, Trip.Place(city: "c", latitude: 1, notes: [], altitude: 2))
        context.insert(trip)
        context.insert(Trip(code: "2", name: "m"))
        try context.save()
        let reader = ModelContext(context.container)
        let trips = try reader.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)]))
        try context.delete(model: Trip.self)
        try context.save()
        for trip in trips {
            _ = (trip.kind, trip.mood, trip.place, trip.tags, trip.stops, trip.owner, trip.identifier)
        }
        let known = try #require(reader.model(for: trip.persistentModelID) as? Trip)
        #expect(known.mood == nil || known.mood == .sad)
        #expect(known.kind == .leisure || known.kind == .work)
    }

    @Test func modelOfAReleasedContextCanBeRead() throws {
        context.insert(Trip(code: "1", name: "saved"))
        try context.save()
        var other: ModelContext? = ModelContext(context.container)
        let saved = try #require(try other?.fetch(FetchDescriptor<Trip>()).first)
        let unsaved = Trip(code: "2", name: "unsaved")
        (unsaved.kind, unsaved.stops) = (.work, [Stop(name: "s", nights: 4)])
        other?.insert(unsaved)
        other = nil
        #expect(unsaved.name == "unsaved" && unsaved.kind == .work && unsaved.modelContext == nil)
        #expect(unsaved.stops.map(\.nights) == [4] && !unsaved.isDeleted)
        _ = (saved.kind, saved.mood, saved.place, saved.tags, saved.stops, saved.name)
        context.insert(unsaved)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Stop>()) == 1)
    }

    @Test func modelsOfAnErasedContainerCanBeRead() throws {
        let trip = Trip(code: "1", name: "n")
        trip.kind = .work
        context.insert(trip)
        try context.save()
        try context.container.erase()
        _ = (trip.name, trip.kind, trip.tags, trip.stops, trip.owner, trip.isDeleted)
    }
}
