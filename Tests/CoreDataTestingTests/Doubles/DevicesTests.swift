import CoreData
import CoreDataAccounts
import CoreDataJobs
import CoreDataPlaces
import CoreDataSyncing
import CoreDataTesting
import Foundation
import TestBasics
import Testing

/// Positions, clocks and other devices without any.
@Suite struct DevicesTests {
    @Test("positions come from a source that the test has, with ages by its clock (TEST-03)")
    func positionsComeFromTest() async throws {
        let (source, clock) = (ManualLocationSource(), TestClock(Date(timeIntervalSince1970: 1_000_000)))
        let authorizer = LocationAuthorizer(usageDescription: "To show where you are") { _ in true }
        let updates = CLLocationUpdate.liveUpdates(from: source, authorizer: authorizer, clock: clock.currentDate)
        let first = Task { () -> CLLocation? in
            for try await update in updates { if let location = update.location { return location } }
            return nil
        }
        await eventually("the manager listens") { source.isStarted }
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4), altitude: 0, horizontalAccuracy: 5,
            verticalAccuracy: 5, timestamp: clock.date)
        source.report(.locations([place]))
        #expect(try await first.value?.coordinate.latitude == 48.2)
    }

    @Test("two stacks are kept in step in memory, also after one was offline (TEST-03)")
    func stacksAreKeptInStepInMemory() async throws {
        let transport = MemoryTransport()
        func device() throws -> (TestStack, SyncSession) {
            let stack = try TestStack(
                DatedModel.model, .sqlite, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
            let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
            return (stack, try SyncSession(store, over: transport))
        }
        let (anna, annasSession) = try device()
        let (ben, bensSession) = try device()
        try await annasSession.join(.founding)
        try await bensSession.join(.joining)
        try anna.make("Event", ["when": Date(timeIntervalSinceReferenceDate: 5)])
        try anna.context.save()
        for _ in 0..<3 { for session in [annasSession, bensSession] { _ = try await session.exchange() } }
        #expect(try ben.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Event")) == 1)
        transport.isOnline = false
        try ben.make("Event", ["when": Date(timeIntervalSinceReferenceDate: 6)])
        try ben.context.save()
        await #expect(throws: SyncError.self) { try await bensSession.exchange() }
        transport.isOnline = true
        for _ in 0..<3 { for session in [annasSession, bensSession] { _ = try await session.exchange() } }
        #expect(try anna.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Event")) == 2)
    }

    @Test("the clocks of jobs and accounts are made of the test's (TEST-03)")
    func clocksAreMadeOfTests() async throws {
        let clock = TestClock(Date(timeIntervalSince1970: 50))
        let (jobs, accounts) = (
            JobClock(now: clock.elapsed, after: clock.after), AccountClock(now: clock.currentDate, sleep: clock.sleep)
        )
        clock.advance(by: .seconds(10))
        #expect(jobs.now() == .seconds(10))
        #expect(accounts.now() == Date(timeIntervalSince1970: 60))
        let sleeper = Task { try await accounts.sleep(.seconds(3_600)) }
        await eventually("the task sleeps") { clock.waitingCount == 1 }
        clock.advance(by: .seconds(3_600))
        try await sleeper.value
    }
}
