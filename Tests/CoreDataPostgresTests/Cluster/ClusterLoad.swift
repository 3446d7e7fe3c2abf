import CoreData
import CoreDataPostgres
import Dispatch
import Foundation
import PostgresKit
import Synchronization
import TestBasics
import Testing

/// Writers that save one object after the other in a store on a cluster, each with a stack of its own, and a bare loop on libpq beside them.
///
/// What was acknowledged is noted, as is when it was.
final class ClusterLoad: @unchecked Sendable {
    private struct State {
        var acknowledged: Set<String> = []
        var doubtful: Set<String> = []
        /// When who has last got an answer, by the number of the writer; the bare loop is -1.
        var latest: [Int: ContinuousClock.Instant] = [:]
        /// For how long who has got no answer at most.
        var pauses: [Int: Duration] = [:]
        var errors: [String] = []
        var isOver = false

        mutating func noteAnswer(_ writer: Int) {
            let now = ContinuousClock.now
            if let last = latest[writer] { pauses[writer] = max(pauses[writer] ?? .zero, now - last) }
            latest[writer] = now
        }
    }

    private let state = Mutex(State())
    private let done = DispatchGroup()
    private let writers: [Heroes]

    /// Begins to write; `url` is that of the store, `bare` how the loop connects.
    init(writers count: Int, url: URL, bare: ConnectionParameters) throws {
        writers = try (0..<count).map { _ in try Heroes(0, options: [NSPersistentStoreTimeoutOption: 60], url: url) }
        for (number, heroes) in writers.enumerated() { run { self.write(number, heroes) } }
        run { self.loop(bare) }
    }

    /// What went wrong besides errors that leave a save's outcome open.
    var errors: [String] { state.withLock { $0.errors } }
    var acknowledgedCount: Int { state.withLock { $0.acknowledged.count } }

    /// Ends the load; what a store then has that lacks an acknowledged object, or has what nobody saved, is returned.
    func end(in url: URL) throws -> [String] {
        state.withLock { $0.isOver = true }
        #expect(done.wait(for: "the end of the writers", within: .seconds(120)))
        let found = try Heroes.names(Heroes(0, url: url).newContext())
        let (acknowledged, doubtful) = state.withLock { ($0.acknowledged, $0.doubtful) }
        let lost = acknowledged.subtracting(found).sorted().map { "\($0) is lost" }
        let strange = Set(found).subtracting(acknowledged).subtracting(doubtful).sorted().map { "\($0) was not saved" }
        return lost + strange + (Set(found).count == found.count ? [] : ["something is there twice"])
    }

    /// Begins to measure for how long nobody answers.
    func forgetPauses() { state.withLock { $0.pauses = [:] } }

    /// Waits until everybody has got another answer, and gives for how long the bare loop and the slowest writer got none; nil where
    /// somebody gets none in time.
    func pauses(within limit: Duration) -> (bare: Duration, store: Duration)? {
        let moment = ContinuousClock.now
        while ContinuousClock.now < moment + limit {
            let (latest, pauses) = state.withLock { ($0.latest, $0.pauses) }
            if latest.count == writers.count + 1, latest.values.allSatisfy({ $0 > moment }) {
                let store = pauses.filter { $0.key >= 0 }.values.max()
                return (pauses[-1] ?? .zero, store ?? .zero)
            }
            usleep(5_000)
        }
        return nil
    }

    private func run(_ body: @escaping @Sendable () -> Void) {
        done.enter()
        Thread.detachNewThread {
            body()
            self.done.leave()
        }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    private func write(_ writer: Int, _ heroes: Heroes) {
        let context = heroes.newContext()
        var number = 0
        while !isOver {
            let name = "\(writer)-\(number)"
            number += 1
            do {
                try Heroes.add(name, context)
                state.withLock {
                    $0.acknowledged.insert(name)
                    $0.noteAnswer(writer)
                }
            } catch {
                // What was not acknowledged may be there or not; the context begins anew.
                state.withLock {
                    $0.doubtful.insert(name)
                    $0.errors.append("\(name): \((error as NSError).localizedDescription)")
                }
                context.performAndWait { context.reset() }
            }
            usleep(10_000)
        }
    }

    /// What somebody would write who has nothing but libpq: a connection, an insertion, and from the beginning after an error.
    private func loop(_ parameters: ConnectionParameters) {
        var connection: PostgresConnection?
        while !isOver {
            do {
                let usable = try connection ?? PostgresConnection.open(parameters, timeout: .seconds(2))
                connection = usable
                _ = try usable.query("CREATE TABLE IF NOT EXISTS public.bare (n bigint)")
                _ = try usable.query("INSERT INTO public.bare VALUES (1)")
                state.withLock { $0.noteAnswer(-1) }
            } catch {
                connection?.close()
                connection = nil
            }
            usleep(20_000)
        }
        connection?.close()
    }
}
