import Foundation
import SwiftData
import TestBasics
import Testing

/// Results that follow the changes of their context, of other contexts and of other processes.
@Suite struct ResultsObserverTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try Self.open(folder)
    }

    private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
        try ModelContainer(
            for: Trip.self, Vehicle.self, Truck.self,
            configurations: ModelConfiguration(url: folder.url.appending(path: "trips.store")))
    }

    private func add(_ codes: [String], name: String = "n", to container: ModelContainer? = nil) throws {
        let context = ModelContext(container ?? self.container)
        for code in codes { context.insert(Trip(code: code, name: name)) }
        try context.save()
    }

    @MainActor @Test func resultsFollowTheirContext() async throws {
        let context = container.mainContext
        context.autosaveEnabled = false
        let observer = try ResultsObserver<Trip, Never>(
            filterBy: #Predicate { $0.name == "n" }, sortBy: [SortDescriptor(\.code)], modelContext: context)
        #expect(observer.results.isEmpty && observer.sections == nil)
        let changes = Tally()
        withObservationTracking {
            _ = observer.results.count
        } onChange: {
            changes.add()
        }
        let trip = Trip(code: "b", name: "n")
        context.insert(trip)
        context.insert(Trip(code: "a", name: "n"))
        context.insert(Trip(code: "c", name: "other"))
        context.processPendingChanges()
        #expect(observer.results.map(\.code) == ["a", "b"] && changes.count == 1)
        #expect(observer.indexPath(for: trip) == IndexPath(indexes: [0, 1]))
        #expect(observer.element(at: IndexPath(indexes: [0, 0]))?.code == "a")
        #expect(observer.element(at: IndexPath(indexes: [0, 7])) == nil)
        try context.save()
        trip.name = "other"
        context.processPendingChanges()
        #expect(observer.results.map(\.code) == ["a"])
        observer.sortBy = [SortDescriptor(\.code, order: .reverse)]
        observer.filterBy = nil
        #expect(observer.results.map(\.code) == ["c", "b", "a"])
        observer.filterBy = #Predicate { $0.title == "x" }
        #expect(observer.fetchError != nil && observer.results.count == 3)
    }

    @MainActor @Test func resultsFollowOtherContextsAndContainers() async throws {
        let observer = try ResultsObserver<Trip, Never>(
            sortBy: [SortDescriptor(\.code)], modelContext: container.mainContext)
        try add(["a", "b"])
        await eventually("the save of another context") { observer.results.count == 2 }
        // A container of its own has a coordinator of its own, as another process has.
        try add(["c"], to: try Self.open(folder))
        await eventually("the save of another coordinator") { observer.results.map(\.code) == ["a", "b", "c"] }
        let other = ModelContext(container)
        try #require(try other.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])).first).code = "z"
        try other.save()
        await eventually("the changed order") { observer.results.map(\.code) == ["b", "c", "z"] }
    }

    @MainActor @Test func resultsOfAContextOfTheirOwnFollow() async throws {
        let observer = try ResultsObserver<Trip, Never>(modelContainer: container)
        #expect(observer.modelContext !== container.mainContext)
        try add(["a"])
        await eventually("the save of another context") { observer.results.map(\.code) == ["a"] }
    }

    @MainActor @Test func sectionsFollowTheirTitles() async throws {
        let context = container.mainContext
        for (code, name) in [("1", "beta"), ("2", "alpha"), ("3", "beta"), ("4", "gamma")] {
            context.insert(Trip(code: code, name: name))
        }
        try context.save()
        let observer = try ResultsObserver<Trip, String>(
            sortBy: [SortDescriptor(\.code, order: .reverse)], sectionBy: \.name, modelContext: context)
        var sections = try #require(observer.sections)
        #expect(sections.sectionTitles == ["alpha", "beta", "gamma"])
        #expect(sections[sectionTitle: "beta"]?.map(\.code) == ["3", "1"] && sections[sectionTitle: "x"] == nil)
        #expect(sections.contains(sectionTitle: "gamma") && sections.index(ofSectionTitled: "gamma") == 2)
        #expect(sections[0].id == "alpha" && observer.sectionBy == \Trip.name)
        let second = try #require(observer.element(at: IndexPath(indexes: [1, 1])))
        #expect(second.code == "1" && observer.indexPath(for: second) == IndexPath(indexes: [1, 1]))
        second.name = "alpha"
        context.processPendingChanges()
        sections = try #require(observer.sections)
        #expect(sections.map { $0.map(\.code) } == [["2", "1"], ["3"], ["4"]])
        let byOwner = try ResultsObserver<Trip, String>(sectionBy: \.owner?.name, modelContext: context)
        #expect(byOwner.sections?.sectionTitles == [""])
    }

    @Test func actorFollowsOthersOnItsExecutor() async throws {
        let follower = Follower(modelContainer: container)
        try await follower.begin()
        try add(["a", "b"])
        #expect(await follower.follows(["a", "b"]))
        await follower.insert("c")
        #expect(await follower.follows(["a", "b", "c"]))
        #expect(await follower.codes == ["a", "b", "c"])
    }

    @Test func observerOfNoActorTakesSavesWhenItIsRead() throws {
        let context = ModelContext(container)
        let observer = try ResultsObserver<Trip, Never>(
            sortBy: [SortDescriptor(\.code)], modelContext: context, isolation: nil)
        try add(["a"])
        #expect(eventually("the save of another context") { observer.results.map(\.code) == ["a"] })
    }

    @MainActor @Test func updatesAreASequence() async throws {
        var observer: ResultsObserver<Trip, Never>? = try ResultsObserver(modelContext: container.mainContext)
        let updates = try #require(observer?.updates)
        try add(["a"])
        var iterator = updates.makeAsyncIterator()
        var last: [PersistentIdentifier] = []
        while last.count < 1, let next = await iterator.next() { last = next }
        #expect(last.count == 1 && last == observer?.results.map(\.persistentModelID))
        observer = nil
        while let next = await iterator.next() { last = next }
        #expect(last.count == 1)
    }

    // MARK: History

    @Test func historyObserverCountsWhatConcernsIt() throws {
        let trips = try HistoryObserver(observedModels: [Trip.self], authors: ["ada"], modelContainer: container)
        let vehicles = try HistoryObserver(observedModels: [Vehicle.self], modelContainer: container)
        let all = try HistoryObserver(modelContainer: container)
        func save(_ author: String?, _ model: any PersistentModel) throws {
            let context = ModelContext(container)
            context.author = author
            context.insert(model)
            try context.save()
        }
        try save("ada", Trip(code: "1", name: "n"))
        #expect(eventually("the first save") { trips.eventCounter == 1 && all.eventCounter >= 1 })
        try save("bob", Trip(code: "2", name: "n"))
        try save("ada", Truck(plate: "t", name: "n", load: 1))
        #expect(eventually("the save of a subclass") { vehicles.eventCounter == 1 })
        try add(["3"], to: try Self.open(folder))
        let last = try #require(
            try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
        #expect(
            eventually("the save of another coordinator") {
                all.historyTokens.values.first as? DefaultHistoryToken == last
            })
        #expect(trips.eventCounter == 1 && vehicles.eventCounter == 1)
        #expect(trips.authors == ["ada"] && trips.observedModels.count == 1)
    }

    @Test func historyObserverBeginsAtTokens() throws {
        try add(["1"])
        let first = try #require(
            try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
        try add(["2"])
        let observer = try HistoryObserver(
            historyTokens: [first.storeIdentifier: first.token], modelContainer: container, isolation: nil)
        #expect(observer.eventCounter == 1)
        #expect(try HistoryObserver(modelContainer: container, isolation: nil).eventCounter == 0)
        let memory = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        #expect {
            try HistoryObserver(modelContainer: memory, isolation: nil)
        } throws: {
            SwiftDataError.invalidTransactionFetchRequest ~= $0
        }
    }
}

@ModelActor
private actor Follower {
    private var observer: ResultsObserver<Trip, Never>?
    private var counter = Tally()
    var codes: [String] { observer?.results.map(\.code) ?? [] }

    func begin() throws {
        observer = try ResultsObserver(sortBy: [SortDescriptor(\.code)], modelContext: modelContext)
        let counter = counter
        if let updates = observer?.updates {
            Task { for await identifiers in updates { counter.set(identifiers.count) } }
        }
    }

    /// Whether the results and the sequence of updates come to have some codes.
    func follows(_ expected: [String]) async -> Bool {
        await eventually("\(expected)") { codes == expected && counter.count == expected.count }
    }

    func insert(_ code: String) { modelContext.insert(Trip(code: code, name: "n")) }
}

/// Counts calls, from any thread.
private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0
    var count: Int { lock.withLock { value } }
    func add() { lock.withLock { value += 1 } }
    func set(_ number: Int) { lock.withLock { value = number } }
}
