import CRawBaseline
import CoreData
import Synchronization

/// Fetches by several threads on one coordinator, and fetches beside a long save.
enum ParallelFetch {
    static let all = [
        Benchmark("PF", size: 100_000, grows: true) { count, session in
            let store = try session.workbench.items(count)
            let measures = try [1, 2, 4].map { threads in
                (
                    threads,
                    try Measurement(
                        of: Sides(ours: { try fetch(store, threads) }, raw: { try rawFetch(store, threads) }),
                        runs: session.runs)
                )
            }
            guard let alone = measures.first?.1 else { return [] }
            return measures.map { threads, measurement in
                Row(
                    name: "PF  fetch \(count) objects by each of \(threads) threads on one coordinator",
                    value: measurement.ratio, bar: 2.2, stretch: 1.8, measurement: measurement)
            }
                + measures.dropFirst().map { threads, measurement in
                    Row(
                        name: "PF scaling  of C by ours, \(threads) threads",
                        value: measurement.ratio / alone.ratio, bar: 1.11, stretch: 1)
                }
        },
        Benchmark("PW", size: 200_000) { count, session in
            let measures = try waits(session, saving: count, fetching: 100)
            func median(_ value: (Waits) -> Double) -> Double { Measurement.median(of: measures.map(value)) }
            return [
                Row(
                    name: "PW  p99 of fetching 100 objects while \(count) are saved, by the quiet one",
                    value: median { $0.beside.p99 / $0.quiet.p99 }, bar: 3, stretch: 2),
                Row(
                    name: "PW p50  the same, p50 by the quiet one",
                    value: median { $0.beside.p50 / $0.quiet.p50 }, bar: 3, stretch: 2),
                Row(name: "PW p99 ms  beside the save", value: median { $0.beside.p99 * 1_000 }),
                Row(name: "PW p50 ms  beside the save", value: median { $0.beside.p50 * 1_000 }),
            ]
        },
        Benchmark("PT", size: 200_000) { count, session in
            let measures = try waits(session, saving: count, fetching: 10)
            func median(_ value: (Waits) -> Double) -> Double { Measurement.median(of: measures.map(value)) }
            return [
                Row(
                    name: "PT  p99 of fetching 10 objects while \(count) are saved, ms",
                    value: median { $0.beside.p99 * 1_000 }),
                Row(name: "PT quiet  the same beside nothing, ms", value: median { $0.quiet.p99 * 1_000 }),
            ]
        },
    ]

    // MARK: Several threads

    /// Runs a block on as many threads at once; the time is that from their start to the end of the last.
    private static func together(_ threads: Int, _ block: @escaping @Sendable (Int) throws -> Void) throws -> Sample {
        let (start, done) = (DispatchSemaphore(value: 0), DispatchGroup())
        let failure = Mutex<(any Error)?>(nil)
        for number in 0..<threads {
            done.enter()
            Thread.detachNewThread {
                start.wait()
                do { try block(number) } catch { failure.withLock { $0 = error } }
                done.leave()
            }
        }
        let begin = raw_now()
        for _ in 0..<threads { start.signal() }
        done.wait()
        let seconds = raw_now() - begin
        if let failure = failure.withLock({ $0 }) { throw failure }
        return Sample(seconds: seconds)
    }

    private static func fetch(_ store: ItemStore, _ threads: Int) throws -> Sample {
        let container = try store.open()
        defer { try? Workbench.close(container) }
        let contexts = (0..<threads).map { _ in container.newBackgroundContext() }
        // All connections are open when the clock starts, as C's are.
        _ = try together(max(2, threads)) { number in try page(of: contexts[number % threads], offset: 0, 100) }
        return try together(threads) { number in
            try contexts[number].performAndWait {
                let request = NSFetchRequest<Item>(entityName: "Item")
                request.returnsObjectsAsFaults = false
                let found = try contexts[number].fetch(request)
                guard found.count == store.count, found.last?.a0 != nil else { throw Failure("objects are missing") }
            }
        }
    }

    private static func rawFetch(_ store: ItemStore, _ threads: Int) throws -> Sample {
        try together(threads) { _ in
            let result = raw_fetch_items(store.url.path)
            guard result.error == 0, result.rows == store.count else { throw Failure("the raw fetch gives \(result)") }
        }
    }

    // MARK: Beside a save

    private struct Percentiles {
        let p50: Double
        let p99: Double

        init(of times: [Double]) {
            let sorted = times.sorted()
            p50 = sorted[sorted.count / 2]
            p99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }
    }

    private struct Waits {
        let quiet: Percentiles
        let beside: Percentiles
    }

    private static func waits(_ session: Session, saving count: Int, fetching limit: Int) throws -> [Waits] {
        try (0..<max(1, session.runs / 2)).map { _ in try waits(session.workbench, saving: count, fetching: limit) }
    }

    private static func waits(_ bench: Workbench, saving count: Int, fetching limit: Int) throws -> Waits {
        let store = try ItemStore(count: 10_000, at: bench.place("Read"))
        defer { store.remove() }
        let container = try store.open()
        defer { try? Workbench.close(container) }
        let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
        var quiet: [Double] = []
        for number in 0..<1_000 { quiet.append(try page(of: reader, offset: number * 97 % 5_000, limit)) }
        writer.performAndWait {
            for number in 0..<count { Item(context: writer).a0 = Int64(number) }
        }
        let isSaving = Atomic(true)
        let failure = Mutex<(any Error)?>(nil)
        let done = DispatchGroup()
        done.enter()
        Thread.detachNewThread {
            do { try writer.performAndWait { try writer.save() } } catch { failure.withLock { $0 = error } }
            isSaving.store(false, ordering: .releasing)
            done.leave()
        }
        var beside: [Double] = []
        while isSaving.load(ordering: .acquiring) || beside.isEmpty {
            beside.append(try page(of: reader, offset: beside.count * 97 % 5_000, limit))
        }
        done.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
        return Waits(quiet: Percentiles(of: quiet), beside: Percentiles(of: beside))
    }

    /// Fetches some objects with their values, and gives the seconds that it took.
    @discardableResult private static func page(of context: NSManagedObjectContext, offset: Int, _ limit: Int) throws
        -> Double
    {
        try context.performAndWait {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.returnsObjectsAsFaults = false
            request.fetchLimit = limit
            request.fetchOffset = offset
            let start = raw_now()
            let found = try context.fetch(request)
            let seconds = raw_now() - start
            guard !found.isEmpty else { throw Failure("objects are missing") }
            context.reset()
            return seconds
        }
    }
}
