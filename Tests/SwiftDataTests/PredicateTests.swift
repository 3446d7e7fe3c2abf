import Foundation
import SwiftData
import TestBasics
import Testing

/// Predicates of Swift: the store, the context with unsaved models, and Swift itself answer alike.
@Suite struct PredicateTests {
    private func fill(_ context: ModelContext) {
        let owners = [Owner(name: "Ada", age: 36), Owner(name: "Émile"), Owner(name: "zoe", age: 0)]
        let names = ["Alps", "alps tour", "Bern", "", "Élan", "Zürich"]
        for number in 0..<24 {
            let trip = Trip(
                code: "T\(number)", name: names[number % names.count],
                start: Date(timeIntervalSinceReferenceDate: Double(number) * 1_000))
            trip.rating = number % 7 - 2
            trip.isPublic = number % 3 == 0
            trip.kind = number % 4 == 0 ? .work : .leisure
            trip.mood = [nil, .happy, .sad][number % 3]
            trip.budget = number % 5 == 0 ? nil : Decimal(number) / 2
            if number % 6 != 0 {
                trip.place = Trip.Place(
                    city: names[number % 3], latitude: Double(number), notes: [],
                    altitude: number % 2 == 0 ? nil : number)
            }
            trip.stops = (0..<number % 4).map { Stop(name: names[$0], nights: $0 + number % 2) }
            if number % 8 != 7 { trip.owner = owners[number % 3] }
            context.insert(trip)
        }
    }

    private func check(
        _ predicate: Predicate<Trip>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: folder.url.appending(path: "p.store")))
        let context = ModelContext(container)
        fill(context)
        let unsaved = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.code).sorted()
        let inSwift = try context.fetch(FetchDescriptor<Trip>()).filter { try predicate.evaluate($0) }
        let expected = inSwift.map(\.code).sorted()
        try context.save()
        let other = ModelContext(container)
        let stored = try other.fetch(FetchDescriptor(predicate: predicate)).map(\.code).sorted()
        #expect(unsaved == expected, "unsaved models", sourceLocation: sourceLocation)
        #expect(stored == expected, "the store", sourceLocation: sourceLocation)
        #expect(!expected.isEmpty && expected.count < 24, "the predicate selects", sourceLocation: sourceLocation)
        #expect(try other.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count)
    }

    @Test func comparisons() throws {
        let (limit, day) = (2, Date(timeIntervalSinceReferenceDate: 9_000))
        try check(#Predicate { $0.rating > limit })
        try check(#Predicate { $0.rating <= 0 && $0.start < day })
        try check(#Predicate { $0.name == "Bern" || $0.name != "Alps" && $0.isPublic })
        try check(#Predicate { !$0.isPublic })
        try check(#Predicate { ($0.rating > 1) == $0.isPublic })
        try check(#Predicate { (0...2).contains($0.rating) })
        try check(#Predicate { (0..<2).contains($0.rating) })
    }

    @Test func optionals() throws {
        let price: Decimal = 4
        try check(#Predicate { $0.budget == nil })
        try check(#Predicate { $0.budget != nil })
        try check(#Predicate { $0.budget != price })
        try check(#Predicate { $0.owner == nil })
        try check(#Predicate { $0.owner?.name == "Ada" })
        try check(#Predicate { $0.owner?.name != "Ada" })
        try check(#Predicate { ($0.owner?.age ?? 1) > 0 })
        try check(#Predicate { $0.owner?.name.contains("d") ?? false })
        try check(#Predicate { $0.owner?.name.contains("d") ?? true })
        try check(#Predicate { $0.owner?.name.contains("d") == true })
        try check(#Predicate { $0.owner.flatMap { $0.age } == 36 })
        try check(#Predicate { $0.owner!.name == "zoe" }, skippingSwift: true)
    }

    private func check(_ predicate: Predicate<Trip>, skippingSwift: Bool) throws {
        let context = ModelContext(
            try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        fill(context)
        let unsaved = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.code).sorted()
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor(predicate: predicate))
        #expect(!unsaved.isEmpty && stored.map(\.code).sorted() == unsaved)
    }

    @Test func texts() throws {
        try check(#Predicate { $0.name.contains("lp") })
        try check(#Predicate { $0.name.starts(with: "Al") })
        try check(#Predicate { $0.name.localizedStandardContains("ELAN") })
        try check(#Predicate { $0.name.isEmpty })
        try check(#Predicate { $0.name.count > 4 })
        try check(#Predicate { ($0.owner?.name.count ?? 0) == 5 })
        let same = ComparisonResult.orderedSame
        try check(#Predicate { $0.name.caseInsensitiveCompare("ALPS") == same })
        try check(#Predicate { $0.name.contains("") && $0.isPublic })
    }

    @Test func collections() throws {
        let codes = ["T1", "T5", "T9"]
        try check(#Predicate { codes.contains($0.code) })
        try check(#Predicate { $0.stops.isEmpty })
        try check(#Predicate { $0.stops.count > 1 })
        try check(#Predicate { $0.stops.contains { $0.name == "Bern" && $0.nights > 2 } })
        try check(#Predicate { $0.stops.allSatisfy { $0.nights > 0 } })
        try check(#Predicate { $0.stops.filter { $0.nights == 1 }.count == 1 })
        try check(#Predicate { trip in trip.stops.contains { $0.nights == trip.rating } })
    }

    @Test func arithmetic() throws {
        try check(#Predicate { $0.rating * 2 + 1 > 3 })
        try check(#Predicate { $0.rating - $0.visits == 2 })
        try check(#Predicate { -$0.rating > 0 })
        try check(#Predicate { $0.rating / 2 == 0 })
        try check(#Predicate { ($0.rating + 10) / 3 > 3 })
        try check(#Predicate { $0.rating / 2 == -1 })
        try check(#Predicate { ($0.isPublic ? $0.rating : 10) > 3 })
        try check(#Predicate { $0.isPublic ? $0.rating > 0 : $0.name == "Bern" })
    }

    @Test func enumerationsAndStructures() throws {
        try check(#Predicate { $0.kind.rawValue == "work" })
        try check(#Predicate { $0.place?.city == "Bern" })
        try check(#Predicate { ($0.place?.latitude ?? 0) > 7 })
        try check(#Predicate { $0.place == nil })
        try check(#Predicate { $0.mood == nil })
    }

    @Test func capturedValuesHaveProperties() throws {
        struct Bounds: Codable {
            var least: Int
            var names: [String]
            var inner: Inner?
        }
        struct Inner: Codable { var name: String }
        let bounds = Bounds(least: 2, names: ["Alps", "Bern"], inner: Inner(name: "Ada"))
        let ratings = [1, 3]
        try check(#Predicate { $0.rating >= bounds.least })
        try check(#Predicate { bounds.names.contains($0.name) })
        try check(#Predicate { $0.owner?.name == bounds.inner?.name })
        try check(#Predicate { $0.rating > bounds.names.count })
        let ages = [36, 0]
        try check(#Predicate { $0.owner?.age == ages.max() })
        try check(#Predicate { $0.rating < ratings.min()! })
    }

    @Test func relatedModelsComparedWithNil() throws {
        try check(#Predicate { $0.owner == nil })
        try check(#Predicate { $0.owner != nil && $0.rating > 0 })
        try check(#Predicate { $0.owner?.age == nil })
        try check(#Predicate { $0.owner == nil || $0.owner?.age == 36 })
    }

    @Test func nestedOptionals() throws {
        try check(#Predicate { $0.place?.altitude != nil })
        try check(#Predicate { ($0.place?.altitude ?? -1) > 3 })
        try check(#Predicate { ($0.owner?.age ?? $0.place?.altitude ?? 0) > 10 })
        try check(#Predicate { $0.owner?.age.flatMap { $0 > 5 } ?? false })
        try check(
            #Predicate { trip in
                if let age = trip.owner?.age { age > 10 } else { trip.place?.altitude == nil }
            })
    }

    @Test func predicatesOfOthers() throws {
        let isHigh = #Predicate<Trip> { $0.rating > 1 }
        let isAlps = #Predicate<Trip> { $0.name == "Alps" }
        try check(Predicate(all: [isHigh, isAlps]))
        try check(Predicate(any: [isHigh, isAlps, #Predicate { $0.code == "T3" }]))
        try check(Predicate(all: [Predicate(any: [isHigh, isAlps]), #Predicate { $0.isPublic }]))
        try check(Predicate(any: [isHigh]))
        #expect(try Predicate<Trip>(all: []).evaluate(Trip(code: "", name: "")))
        #expect(try !Predicate<Trip>(any: []).evaluate(Trip(code: "", name: "")))
    }

    @Test func conditionalValues() throws {
        try check(#Predicate { ($0.owner == nil ? 0 : $0.rating) > 2 })
        try check(#Predicate { ($0.isPublic ? $0.name : $0.code) == "Alps" })
        try check(#Predicate { ($0.rating > 0 ? ($0.isPublic ? 1 : 2) : 3) == 2 })
        try check(#Predicate { ($0.owner?.age == nil ? $0.place?.altitude : $0.owner?.age) == 36 })
    }

    @Test func casts() throws {
        try check(#Predicate { ($0.owner?.age as? Int) == 36 })
        try check(#Predicate { $0.owner?.age is Int })
    }

    @Test func identifiers() throws {
        let context = ModelContext(
            try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        fill(context)
        try context.save()
        let owner = try #require(try context.fetch(FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.name)])).first)
        let identifier = owner.persistentModelID
        let found = try context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.owner?.persistentModelID == identifier }))
        #expect(Set(found) == Set(owner.trips) && !found.isEmpty)
        let own = try context.fetch(
            FetchDescriptor<Owner>(predicate: #Predicate { $0.persistentModelID == identifier }))
        #expect(own == [owner])
    }

    @Test func whatNoStoreAnswersIsNamedInTheError() throws {
        let context = ModelContext(
            try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        func message(_ predicate: Predicate<Trip>) -> String {
            do {
                _ = try context.fetch(FetchDescriptor(predicate: predicate))
                return "no error"
            } catch { return SwiftDataError.unsupportedPredicate ~= error ? "\(error)" : "other error: \(error)" }
        }
        #expect(
            message(#Predicate { $0.title == "x" }).contains(
                "$0.(computed String) is not a persisted property of 'Trip'"))
        #expect(message(#Predicate { $0.tags.contains("x") }).contains("$0.tags is not stored in a form"))
        #expect(message(#Predicate { $0.scratch == 1 }).contains("$0.scratch is not a persisted property"))
    }
}
