import CoreDataBrowser
import Dispatch
import Synchronization

extension BrowserServer {
    /// Serves until the process gets SIGINT or SIGTERM, until `condition` returns, until the task is cancelled, or
    /// until the server is stopped; then lets requests finish, and returns.
    ///
    /// At the end the server accepts no more connections, running requests end within `limit`, and the port is
    /// released. A signal during that time has its usual effect: in most cases it ends the process.
    /// - Parameters:
    ///   - condition: Returns when the server is to end. It is cancelled when something else ends the server.
    ///   - limit: The time that requests have to finish.
    ///   - announce: Is called with an address with a code (`link()`) as soon as a signal ends the server rather than
    ///     the process.
    public func run(
        until condition: @escaping @Sendable () async -> Void, finishingWithin limit: Duration = .seconds(10),
        announcing announce: (String) throws -> Void = { _ in }
    ) async rethrows {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        note(end)
        let interruption = Interruption { end.finish() }
        let waiting = Task {
            await condition()
            end.finish()
        }
        do {
            try announce(link())
            for await _ in ends {}
        } catch {
            await leave(interruption, waiting: waiting, limit: limit)
            throw error
        }
        await leave(interruption, waiting: waiting, limit: limit)
    }

    /// Serves until the process gets SIGINT or SIGTERM, or until the server is stopped; then lets requests finish, and
    /// returns.
    ///
    /// For programs without `async`: blocks the calling thread. See ``run(until:finishingWithin:announcing:)``.
    public func run(
        finishingWithin limit: Duration = .seconds(10), announcing announce: (String) throws -> Void = { _ in }
    ) rethrows {
        let ended = DispatchSemaphore(value: 0)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        note(end)
        let interruption = Interruption { end.finish() }
        defer { interruption.end() }
        do {
            try announce(link())
        } catch {
            stop()
            throw error
        }
        Task {
            for await _ in ends {}
            ended.signal()
        }
        ended.wait()
        interruption.end()
        Task {
            await stop(finishingWithin: limit)
            ended.signal()
        }
        ended.wait()
    }

    private func note(_ end: AsyncStream<Void>.Continuation) { runs.withLock { $0.append(end) } }

    private func leave(_ interruption: Interruption, waiting: Task<Void, Never>, limit: Duration) async {
        waiting.cancel()
        interruption.end()
        await stop(finishingWithin: limit)
    }
}
