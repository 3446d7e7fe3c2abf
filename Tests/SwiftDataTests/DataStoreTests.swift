import Foundation
import SwiftData
import TestBasics
import Testing

/// Models in a store of the program's own.
@Suite(.serialized) struct DataStoreTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "models.json")
    }

    private func open() throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Trip.self, Vehicle.self, Truck.self, Parcel.self, Reading.self,
                configurations: JSONStoreConfiguration(url: url)))
    }

    @Test func modelsComeBackFromTheFile() throws {
        do {
            let context = try open()
            context.author = "ada"
            let trip = Trip(code: "A", name: "Alps", start: Date(timeIntervalSinceReferenceDate: 0.1))
            trip.budget = Decimal(string: "12.345678901234567")
            trip.tags = ["a", "b"]
            trip.mood = .sad
            trip.place = Trip.Place(city: "Chur", latitude: 46.8, notes: [.init(text: "x")], altitude: nil)
            trip.site = URL(string: "https://example.org/a?b=c")
            trip.photo = Data([0, 255])
            trip.stops = [Stop(name: "one"), Stop(name: "two", nights: 3)]
            trip.owner = Owner(name: "Ada", age: 36)
            context.insert(trip)
            _ = JSONStore.takeLog()
            try context.save()
            #expect(JSONStore.takeLog() == ["save 4 0 0 ada"])
            #expect(trip.name == "Alps" && trip.stops.map(\.nights) == [1, 3] && trip.place?.city == "Chur")
        }
        let context = try open()
        let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        #expect(trip.code == "A" && trip.start.timeIntervalSinceReferenceDate == 0.1 && trip.tags == ["a", "b"])
        #expect(trip.budget == Decimal(string: "12.345678901234567") && trip.mood == .sad && trip.kind == .leisure)
        #expect(trip.place == Trip.Place(city: "Chur", latitude: 46.8, notes: [.init(text: "x")], altitude: nil))
        #expect(trip.site?.query() == "b=c" && trip.photo == Data([0, 255]) && trip.rating == 3)
        #expect(Set(trip.stops.map(\.name)) == ["one", "two"] && trip.stops.allSatisfy { $0.trip === trip })
        #expect(trip.owner?.age == 36 && trip.owner?.trips == [trip])
    }

    @Test func changesAndDeletionsAreWritten() throws {
        let context = try open()
        let (kept, gone) = (Trip(code: "1", name: "kept"), Trip(code: "2", name: "gone"))
        gone.stops = [Stop(name: "s")]
        context.insert(kept)
        context.insert(gone)
        try context.save()
        kept.name = "changed"
        kept.stops = [Stop(name: "later")]
        context.delete(gone)
        _ = JSONStore.takeLog()
        try context.save()
        #expect(JSONStore.takeLog() == ["save 1 1 2 -"])
        #expect(gone.isDeleted && gone.name == "gone")
        let other = try open()
        let trips = try other.fetch(FetchDescriptor<Trip>())
        #expect(trips.map(\.name) == ["changed"] && trips.first?.stops.map(\.name) == ["later"])
        #expect(try other.fetchCount(FetchDescriptor<Stop>()) == 1)
        context.rollback()
        #expect(kept.name == "changed")
    }

    @Test func libraryFiltersAndSortsForTheStore() throws {
        let context = try open()
        for number in 0..<20 {
            let trip = Trip(code: "T\(number)", name: "n\(number % 4)")
            trip.rating = number
            if number % 5 == 0 { trip.stops = [Stop(name: "five", nights: number)] }
            context.insert(trip)
        }
        try context.save()
        let reader = try open()
        var descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.name == "n1" && $0.rating > 4 },
            sortBy: [SortDescriptor(\.rating, order: .reverse)])
        descriptor.fetchLimit = 2
        descriptor.fetchOffset = 1
        #expect(try reader.fetch(descriptor).map(\.code) == ["T13", "T9"])
        let five = #Predicate<Trip> { $0.stops.contains { $0.nights >= 10 } }
        #expect(try reader.fetchCount(FetchDescriptor(predicate: five)) == 2)
        var window = FetchDescriptor<Trip>()
        window.fetchLimit = 3
        #expect(try reader.fetch(window).count == 3)
        #expect(try reader.fetchIdentifiers(FetchDescriptor<Trip>()).count == 20)
        reader.insert(Trip(code: "new", name: "n1"))
        let unsaved = try reader.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "n1" }))
        #expect(unsaved.count == 6 && unsaved.contains { $0.code == "new" })
    }

    @Test func identifiersAreThoseOfTheStore() throws {
        let context = try open()
        let trip = Trip(code: "1", name: "one")
        context.insert(trip)
        #expect(trip.persistentModelID.isTemporary)
        try context.save()
        let identifier = trip.persistentModelID
        #expect(!identifier.isTemporary && identifier.entityName == "Trip")
        #expect(context.registeredModel(for: identifier) as Trip? === trip)
        let found = try context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == identifier }))
        #expect(found == [trip])
        let coded = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
        #expect(coded == identifier && context.model(for: coded) === trip)
        let other = try open()
        let same = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        #expect(same.persistentModelID == identifier && (other.model(for: identifier) as? Trip)?.name == "one")
    }

    @Test func hierarchiesAndEnumerationsAreStored() throws {
        do {
            let context = try open()
            context.insert(Vehicle(plate: "v", name: "car"))
            context.insert(Truck(plate: "t", name: "hauler", load: 7.5))
            let reading = Reading(number: 1, state: .wind(speed: 2, from: .south))
            reading.report = .init(
                state: .rain(3), sky: .cloudy, level: .high, inner: .init(states: [.calm], direction: .north))
            context.insert(reading)
            let parcel = Parcel(number: 1)
            parcel.tint = Tint(red: 1, green: 2, blue: 3)
            parcel.weights = ["a": 1.5]
            parcel.seals = [Seal(code: "s")]
            context.insert(parcel)
            try context.save()
        }
        let context = try open()
        let vehicles = try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.plate)]))
        #expect(vehicles.map { "\(type(of: $0))" } == ["Truck", "Vehicle"] && (vehicles[0] as? Truck)?.load == 7.5)
        #expect(
            try context.fetch(FetchDescriptor<Vehicle>(predicate: #Predicate { $0 is Truck })).map(\.plate) == ["t"])
        let reading = try #require(try context.fetch(FetchDescriptor<Reading>()).first)
        #expect(reading.state == .wind(speed: 2, from: .south) && reading.report?.state == .rain(3))
        #expect(reading.report?.inner.direction == .north && reading.report?.level == .high)
        let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
        #expect(parcel.tint == Tint(red: 1, green: 2, blue: 3) && parcel.weights == ["a": 1.5])
    }

    @Test func otherContextsSeeSaves() throws {
        let context = try open()
        let trip = Trip(code: "1", name: "before")
        context.insert(trip)
        try context.save()
        let other = ModelContext(context.container)
        let same = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        #expect(same.name == "before")
        trip.name = "after"
        try context.save()
        let fresh = ModelContext(context.container)
        #expect(try fresh.fetch(FetchDescriptor<Trip>()).map(\.name) == ["after"])
        same.name = "conflict"
        #expect(throws: (any Error).self) { try other.save() }
        try context.container.erase()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Trip>()) == 0)
    }

    @Test func historyOfTheStoreIsFetchedAndDeleted() throws {
        let context = try open()
        var trips: [Trip] = []
        for (author, code) in [("ada", "1"), ("bob", "2"), ("ada", "3")] {
            context.author = author
            let trip = Trip(code: code, name: code)
            context.insert(trip)
            try context.save()
            trips.append(trip)
        }
        typealias Descriptor = HistoryDescriptor<JSONTransaction>
        let all = try context.fetchHistory(Descriptor())
        #expect(all.map(\.author) == ["ada", "bob", "ada"])
        #expect(all.map { $0.changes.map(\.changedPersistentIdentifier) } == trips.map { [$0.persistentModelID] })
        var newest = Descriptor(
            predicate: #Predicate { $0.author == "ada" },
            sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        newest.fetchLimit = 1
        #expect(try context.fetchHistory(newest).map(\.transactionIdentifier) == [3])
        try context.deleteHistory(Descriptor(predicate: #Predicate { $0.author == "ada" }))
        #expect(try context.fetchHistory(Descriptor()).map(\.transactionIdentifier) == [2])
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 3)
        #expect { try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) } throws: {
            SwiftDataError.invalidTransactionFetchRequest ~= $0
        }
        #expect { try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>()) } throws: {
            SwiftDataError.invalidTransactionFetchRequest ~= $0
        }
    }

    @Test func historiesOfSeveralStoresAreOne() throws {
        let files = ["a", "b"].map { folder.url.appending(path: "\($0).json") }
        let context = ModelContext(
            try ModelContainer(
                for: Schema([Trip.self, Reading.self]),
                configurations: [
                    JSONStoreConfiguration("a", schema: Schema([Trip.self]), url: files[0]),
                    JSONStoreConfiguration("b", schema: Schema([Reading.self]), url: files[1]),
                ]))
        for number in 0..<4 {
            context.author = "\(number)"
            if number % 2 == 0 {
                context.insert(Trip(code: "\(number)", name: ""))
            } else {
                context.insert(Reading(number: number, state: .calm))
            }
            try context.save()
        }
        var descriptor = HistoryDescriptor<JSONTransaction>()
        #expect(try context.fetchHistory(descriptor).map(\.author) == ["0", "1", "2", "3"])
        descriptor.sortBy = [SortDescriptor(\.author, order: .reverse)]
        descriptor.fetchLimit = 3
        #expect(try context.fetchHistory(descriptor).map(\.author) == ["3", "2", "1"])
        try context.deleteHistory(HistoryDescriptor<JSONTransaction>(predicate: #Predicate { $0.author == "1" }))
        #expect(try context.fetchHistory(HistoryDescriptor<JSONTransaction>()).map(\.author) == ["0", "2", "3"])
    }

    @Test func planIsHandedToTheStore() throws {
        let container = try ModelContainer(
            for: Schema([Trip.self]), migrationPlan: EmptyPlan.self, configurations: [JSONStoreConfiguration(url: url)])
        #expect(container.migrationPlan == EmptyPlan.self)
        #expect(JSONStore.lastPlan == EmptyPlan.self)
    }

    private enum EmptyPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [] }
        static var stages: [MigrationStage] { [] }
    }

    @Test func damagedFileAndWrongConfigurationAreErrors() throws {
        _ = try open()
        try Data("{\"identifier\": 7}".utf8).write(to: url)
        #expect(throws: DecodingError.self) { _ = try open() }
        let elsewhere = JSONStoreConfiguration(url: URL(string: "https://example.org/x")!)
        #expect(throws: DataStoreError.unsupportedFeature) {
            try ModelContainer(for: Trip.self, configurations: elsewhere)
        }
    }
}
