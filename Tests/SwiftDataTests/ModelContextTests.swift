import Foundation
import SwiftData
import TestBasics
import Testing

@Suite struct ModelContextTests {
    private func makeContext() throws -> ModelContext {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        return ModelContext(try ModelContainer(for: Trip.self, configurations: configuration))
    }

    @Test func modelKeepsValuesBeforeAndAfterInsertion() throws {
        let trip = Trip(code: "A1", name: "Alps")
        trip.place = Trip.Place(city: "Chur", latitude: 46.8, notes: [Trip.Note(text: "cold")], altitude: nil)
        trip.visit()
        #expect(trip.name == "Alps" && trip.rating == 3 && trip.visits == 1 && trip.modelContext == nil)
        let context = try makeContext()
        context.insert(trip)
        #expect(trip.modelContext === context && context.hasChanges)
        trip.mood = .sad
        trip.kind = .work
        trip.tags = ["snow", "lake"]
        trip.visit()
        try context.save()
        #expect(!context.hasChanges)
        #expect(trip.name == "Alps" && trip.code == "A1" && trip.visits == 2 && trip.rating == 3)
        #expect(trip.kind == .work && trip.mood == .sad && trip.tags == ["snow", "lake"])
        #expect(trip.place == Trip.Place(city: "Chur", latitude: 46.8, notes: [Trip.Note(text: "cold")], altitude: nil))
        #expect(trip.scratch == 7)
    }

    @Test func storeReturnsWhatAnotherContextSaved() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.url.appending(path: "trips.store"))
        let identifier = UUID()
        do {
            let context = ModelContext(try ModelContainer(for: Trip.self, configurations: configuration))
            let trip = Trip(code: "B2", name: "Bern", start: Date(timeIntervalSinceReferenceDate: 86_400))
            trip.identifier = identifier
            trip.budget = 99.5
            trip.site = URL(string: "https://example.org/b")
            trip.photo = Data([1, 2, 3])
            trip.mood = .happy
            trip.tags = ["old town"]
            trip.place = Trip.Place(city: "Bern", latitude: 46.9, notes: [], altitude: 540)
            trip.stops = [Stop(name: "Hotel", nights: 2), Stop(name: "Inn")]
            trip.owner = Owner(name: "Ada", age: nil)
            context.insert(trip)
            try context.save()
        }
        let context = ModelContext(try ModelContainer(for: Trip.self, configurations: configuration))
        let trips = try context.fetch(FetchDescriptor<Trip>())
        let trip = try #require(trips.first)
        #expect(trips.count == 1 && trip.code == "B2" && trip.start.timeIntervalSinceReferenceDate == 86_400)
        #expect(trip.identifier == identifier && trip.budget == 99.5 && trip.site?.host() == "example.org")
        #expect(trip.photo == Data([1, 2, 3]) && trip.mood == .happy && trip.tags == ["old town"])
        #expect(trip.kind == .leisure && trip.place?.altitude == 540 && trip.draft == nil)
        #expect(trip.stops.map(\.name) == ["Hotel", "Inn"] && trip.stops.map(\.nights) == [2, 1])
        #expect(trip.owner?.name == "Ada" && trip.owner?.trips == [trip] && trip.stops.allSatisfy { $0.trip === trip })
        #expect(try context.fetchCount(FetchDescriptor<Stop>()) == 2)
    }

    @Test func deletedModelKeepsItsLastValues() throws {
        let context = try makeContext()
        let trip = Trip(code: "C3", name: "Como")
        trip.stops = [Stop(name: "Villa")]
        context.insert(trip)
        try context.save()
        let stop = trip.stops[0]
        context.delete(trip)
        #expect(trip.isDeleted && context.deletedModelsArray.count == 1)
        try context.save()
        #expect(trip.isDeleted && trip.name == "Como" && trip.code == "C3" && trip.modelContext == nil)
        #expect(stop.isDeleted && stop.name == "Villa")
        trip.name = "changed"
        #expect(trip.name == "Como")
        #expect(try context.fetchCount(FetchDescriptor<Stop>()) == 0)
    }

    @Test func rollbackReturnsSavedValues() throws {
        let context = try makeContext()
        let trip = Trip(code: "D4", name: "Davos")
        context.insert(trip)
        try context.save()
        trip.name = "Other"
        let other = Trip(code: "E5", name: "Engadin")
        context.insert(other)
        context.rollback()
        #expect(trip.name == "Davos" && other.name == "Engadin" && other.modelContext == nil && !other.isDeleted)
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
        context.insert(other)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 2)
    }

    @Test func transactionSavesOrDiscards() throws {
        struct Refusal: Error {}
        let context = try makeContext()
        try context.transaction { context.insert(Trip(code: "F6", name: "Flims")) }
        #expect(throws: Refusal.self) {
            try context.transaction {
                context.insert(Trip(code: "G7", name: "Gais"))
                throw Refusal()
            }
        }
        #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.code) == ["F6"])
    }

    @Test func fetchSortsAndLimits() throws {
        let context = try makeContext()
        for number in 0..<20 { context.insert(Trip(code: "T\(number)", name: "Trip \(number % 5)")) }
        try context.save()
        var descriptor = FetchDescriptor<Trip>(sortBy: [
            SortDescriptor(\.name, order: .reverse), SortDescriptor(\.code),
        ])
        descriptor.fetchLimit = 3
        descriptor.fetchOffset = 1
        #expect(try context.fetch(descriptor).map(\.code) == ["T19", "T4", "T9"])
        #expect(try context.fetchIdentifiers(FetchDescriptor<Trip>()).count == 20)
        var seen = 0
        try context.enumerate(FetchDescriptor<Trip>(), batchSize: 7) { _ in seen += 1 }
        #expect(seen == 20)
    }

    @Test func unsupportedSortDescriptorThrows() throws {
        let context = try makeContext()
        let byTitle = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.title)])
        #expect { try context.fetch(byTitle) } throws: { SwiftDataError.unsupportedSortDescriptor ~= $0 }
    }

    @Test func identifierLeadsToTheModelInAnotherContext() throws {
        let context = try makeContext()
        let trip = Trip(code: "H8", name: "Herisau")
        #expect(trip.persistentModelID.isTemporary && trip.persistentModelID == trip.persistentModelID)
        context.insert(trip)
        try context.save()
        let identifier = trip.persistentModelID
        #expect(!identifier.isTemporary && identifier.entityName == "Trip")
        let coded = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
        #expect(coded == identifier && coded.hashValue == identifier.hashValue)
        let other = ModelContext(context.container)
        #expect(other.registeredModel(for: coded) as Trip? == nil)
        let found = try #require(other.model(for: coded) as? Trip)
        #expect(found.name == "Herisau" && found !== trip)
        #expect(other.registeredModel(for: identifier) as Trip? === found)
        #expect(try other.fetch(FetchDescriptor<Trip>()).first === found)
    }

    @Test func equalUniqueValuesAreAnErrorAndChangeNoRow() throws {
        let context = try makeContext()
        context.insert(Trip(code: "same", name: "first"))
        try context.save()
        let other = Trip(code: "same", name: "second")
        context.insert(other)
        #expect(throws: (any Error).self) { try context.save() }
        #expect(context.hasChanges && other.name == "second")
        let rows = try ModelContext(context.container).fetch(FetchDescriptor<Trip>())
        #expect(rows.map(\.name) == ["first"])
        context.rollback()
        context.insert(Trip(code: "x", name: "a"))
        context.insert(Trip(code: "x", name: "b"))
        #expect(throws: (any Error).self) { try context.save() }
    }

    @Test func deletionByPredicateFollowsDeleteRules() throws {
        let context = try makeContext()
        for number in 0..<10 {
            let trip = Trip(code: "\(number)", name: number < 4 ? "old" : "new")
            trip.stops = [Stop(name: "a"), Stop(name: "b")]
            context.insert(trip)
        }
        try context.save()
        try context.delete(model: Trip.self, where: #Predicate { $0.name == "old" })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 6)
        #expect(try context.fetchCount(FetchDescriptor<Stop>()) == 12)
    }

    @Test func readOnlyStoreRefusesSaves() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "r.store")
        let writer = ModelContext(try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url)))
        writer.insert(Trip(code: "1", name: "one"))
        try writer.save()
        let container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: url, allowsSave: false))
        let reader = ModelContext(container)
        #expect(try reader.fetch(FetchDescriptor<Trip>()).map(\.name) == ["one"])
        reader.insert(Trip(code: "2", name: "two"))
        #expect(throws: (any Error).self) { try reader.save() }
    }

    @Test func severalConfigurationsKeepTheirModels() throws {
        let folder = try TemporaryFolder()
        let first = ModelConfiguration(
            "carts", schema: Schema(CartModel.self), url: folder.url.appending(path: "c.store"))
        let second = ModelConfiguration(
            "users", schema: Schema(UsersV2.User.self), url: folder.url.appending(path: "u.store"))
        let schema = Schema(CartModel.self, UsersV2.User.self)
        let context = ModelContext(try ModelContainer(for: schema, configurations: first, second))
        context.insert(UsersV2.User(name: "u", email: nil, createdAt: Date()))
        context.insert(CartModel(id: "c", storeId: "s", status: "x", createdAt: Date(), updatedAt: Date()))
        try context.save()
        let users = ModelContext(
            try ModelContainer(for: UsersV2.User.self, configurations: ModelConfiguration(url: second.url)))
        #expect(try users.fetch(FetchDescriptor<UsersV2.User>()).map(\.name) == ["u"])
        #expect { try ModelContainer(for: Schema(Trip.self), configurations: first) } throws: {
            SwiftDataError.configurationSchemaNotFoundInContainerSchema ~= $0
        }
    }

    @Test func changesAreObserved() throws {
        let context = try makeContext()
        context.tracksObservation = true
        let trip = Trip(code: "o", name: "before")
        context.insert(trip)
        try context.save()
        let changes = Counter()
        withObservationTracking {
            _ = trip.name
        } onChange: {
            changes.add()
        }
        trip.rating = 5
        #expect(changes.count == 0)
        trip.name = "after"
        #expect(changes.count == 1)
    }
}

/// Counts calls.
private final class Counter: @unchecked Sendable {
    private(set) var count = 0
    func add() { count += 1 }
}

/// A class whose variables all begin with nil.
@Model
final class Sketch {
    var title: String?
    var size: Int?
    var trip: Trip?
    init() {}
}

extension ModelContextTests {
    @Test func valuesOfAModelThatBeganWithNilAloneAreKept() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let context = ModelContext(try ModelContainer(for: Sketch.self, configurations: configuration))
        let sketch = Sketch()
        #expect(sketch.title == nil && sketch.persistentModelID == sketch.persistentModelID)
        sketch.title = "a"
        sketch.size = 3
        #expect(sketch.title == "a" && sketch.size == 3)
        context.insert(sketch)
        let empty = Sketch()
        context.insert(empty)
        try context.save()
        let other = ModelContext(context.container)
        let found = try other.fetch(FetchDescriptor<Sketch>(sortBy: [SortDescriptor(\.size)]))
        #expect(found.map(\.title) == [nil, "a"] && found.map(\.size) == [nil, 3])
    }
}
