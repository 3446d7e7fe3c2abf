import CoreData
import Foundation
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Round trips that are cut off, stalled, damaged and refused, one in each run of a script that does all that a store can.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(60)))
struct FaultTests {
    /// A store that is reached through a proxy, and directly.
    private struct Scene {
        let proxy: FaultProxy
        let heroes: Heroes
        let url: URL

        init(_ server: PostgresServer) throws {
            proxy = try FaultProxy(to: server)
            let schema = "faults_\(UUID().uuidString.prefix(8).lowercased())"
            url = proxy.url(schema: schema)
            heroes = try Heroes(
                2, on: server, options: [NSPersistentHistoryTrackingKey: true], url: server.url(schema: schema))
        }

        func script(_ mark: String, present: Set<String> = ["0", "1"]) -> FaultScript {
            FaultScript(url, mark: mark, present: present)
        }

        func names() throws -> [String] {
            try Heroes.names(heroes.newContext())
        }

        /// Removes what a script has left, so that the next one finds what the first one found.
        func clear(_ mark: String) throws {
            let context = heroes.newContext()
            try context.performAndWait {
                for entity in ["Hero", "Team", "Power"] {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    request.predicate = NSPredicate(format: "name BEGINSWITH %@", mark)
                    for object in try context.fetch(request) { context.delete(object) }
                }
                try context.save()
            }
        }
    }

    private static let kinds: [WireFault] =
        [.cut, .cutWithinRequest, .loseAnswer, .stallBeforeRequest, .stallBeforeAnswer]
        + WireDamage.structural.map { .garble($0) }
        + ["40001", "40P01", "53100", "53300", "57P01", "57P03", "25006", "28P01", "57014", "08006"].map { .answer($0) }

    @Test("a fault at a round trip is overcome or said, and no acknowledged save is lost or made twice (HAZ-61)")
    func everyRoundTrip() throws {
        let scene = try Scene(try PostgresServer.shared.get())
        defer { scene.proxy.stop() }
        let before = scene.proxy.trips
        let first = scene.script("dry")
        try first.run()
        try first.close()
        let trips = scene.proxy.trips - before
        try scene.clear("dry")
        #expect(first.errors.isEmpty)
        var random = SeededRandom(seed: TestSeed.first)
        let places = (1...trips).flatMap { trip in Self.kinds.map { (trip, $0) } }.shuffled(using: &random)
        let count = TestSeed.isExhaustive ? places.count : 120
        for (number, (trip, fault)) in places.prefix(count).enumerated() {
            try Self.run(scene, fault, trip, "m\(number)")
        }
        print("\(count) faults at \(trips) round trips, \(scene.proxy.hits) hit")
        #expect(scene.proxy.hits > count / 2)
    }

    private static func run(_ scene: Scene, _ fault: WireFault, _ trip: Int, _ mark: String) throws {
        let script = scene.script(mark)
        let label: Comment = "\(fault) at round trip \(trip), seed \(TestSeed.first)"
        scene.proxy.arm(fault, at: trip)
        do { try script.run() } catch { Issue.record("\(label): \(error)") }
        scene.proxy.disarm()
        #expect(script.unclear.isEmpty, label)
        #expect(script.problems(of: try scene.names()).isEmpty, label)
        do { try script.close() } catch { Issue.record("\(label): \(error)") }
        try scene.clear(mark)
    }

    @Test("cuts while one saves: none of the acknowledged saves is lost or there twice, and none hangs")
    func cutsWhileOneSaves() throws { try Self.cut(TestSeed.isExhaustive ? 10_000 : 200) }

    /// Saves one object after the other while every few round trips one is cut.
    private static func cut(_ count: Int) throws {
        let scene = try Scene(try PostgresServer.shared.get())
        defer { scene.proxy.stop() }
        let stack = try Stack(HeroModel.make(), url: scene.url, kind: .postgreSQL, options: FaultScript.options)
        let context = stack.newContext()
        var random = SeededRandom(seed: TestSeed.first)
        let kinds: [WireFault] = [.cut, .cutWithinRequest, .loseAnswer]
        var (saved, unknown, failed, number) = (0, 0, 0, 0)
        var slowest = Duration.zero
        while scene.proxy.hits < count {
            number += 1
            let fault = kinds[random.next(below: kinds.count)]
            scene.proxy.arm(fault, at: 1 + random.next(below: 4))
            let start = ContinuousClock.now
            context.performAndWait { _ = context.insert("Hero", ["name": "n\(number)"]) }
            while true {
                do {
                    try context.performAndWait { try context.save() }
                    saved += 1
                    break
                } catch let error as NSError {
                    guard error.domain == NSCocoaErrorDomain else { throw error }
                    if error.localizedFailureReason?.contains("unknown") == true { unknown += 1 } else { failed += 1 }
                    guard error.localizedDescription.contains("was committed") else { continue }
                    context.performAndWait { context.reset() }
                    break
                }
            }
            slowest = max(slowest, .now - start)
        }
        let names = try scene.names()
        let wanted = ["0", "1"] + (1...number).map { "n\($0)" }
        #expect(names == wanted.sorted())
        #expect(slowest < .seconds(60))
        print(
            "\(scene.proxy.hits) cuts in \(number) saves, seed \(TestSeed.first): \(saved) saved, \(unknown) told unknown, "
                + "\(failed) failed and made again; slowest \(slowest); \(Set(wanted).subtracting(names).count) lost, "
                + "\(names.count - Set(names).count) twice")
    }

    @Test("bits that are turned over in answers never trap nor hang, and the store can be used afterwards")
    func flippedBits() throws {
        let scene = try Scene(try PostgresServer.shared.get())
        defer { scene.proxy.stop() }
        var random = SeededRandom(seed: TestSeed.first)
        for number in 0..<(TestSeed.isExhaustive ? 1_000 : 20) {
            let script = scene.script("f\(number)")
            for _ in 0..<3 {
                scene.proxy.arm(.garble(.flippedBits(seed: random.next())), at: 1 + random.next(below: 40))
            }
            // What the server said was changed, so what is in the store is not compared.
            withKnownIssue("wrong values are not found out about", isIntermittent: true) { try script.run() }
            scene.proxy.disarm()
            do { try script.close() } catch {}
            try scene.clear("f\(number)")
        }
        let script = scene.script("after")
        try script.run()
        try script.close()
    }
}
