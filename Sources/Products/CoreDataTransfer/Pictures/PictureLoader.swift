import Foundation
import FoundationNetworking
import LockKit

/// Loads pictures for rows of a list: one request for a URL, however many ask for it; as many at a time as the session allows,
/// which are three for a host unless it is configured otherwise.
///
///     let loader = PictureLoader(cache: try FolderPictureCache(folder: folder))
///     let picture = try await loader.picture(at: url)
///
/// A picture is kept in the cache with the version that its server names, and the server is asked for another version only when
/// that is no longer fresh. A failure is the answer for a short time, so that a list that is scrolled does not ask again and
/// again. The type that the server states must be one of pictures, and the first bytes those of a known format.
///
/// May be used from any thread.
public final class PictureLoader: Sendable {
    /// Sends a request: that of a `TransferSession`, or of a session that signs requests.
    public typealias Fetch =
        @Sendable (URLRequest, TransferOptions) async throws -> (Data, HTTPURLResponse)

    private struct Load {
        let number: Int
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Picture, any Error>] = [:]
    }

    private struct State {
        var loads: [URL: Load] = [:]
        var failures: [URL: (end: Date, error: any Error)] = [:]
        var failureOrder = LeastRecentlyUsed<URL>()
        /// Those who were cancelled before they waited.
        var left: Set<Int> = []
        var count = 0
    }

    /// What holds for all pictures.
    public let configuration: PictureConfiguration
    private let fetch: PictureFetch
    private let state = Locked(State())

    /// The failures that are remembered.
    private static let greatestFailures = 1_000

    /// Makes a loader that uses a session.
    public convenience init(
        cache: any PictureCache = MemoryPictureCache(), configuration: PictureConfiguration = PictureConfiguration(),
        session: TransferSession = .shared
    ) {
        self.init(cache: cache, configuration: configuration) { try await session.data(for: $0, options: $1) }
    }

    /// Makes a loader that sends its requests by a function, such as `data` of a session of an account. Its cache must be of that
    /// account alone.
    public init(
        cache: any PictureCache, configuration: PictureConfiguration = PictureConfiguration(), fetch: @escaping Fetch
    ) {
        self.configuration = configuration
        self.fetch = PictureFetch(cache: cache, configuration: configuration, fetch: fetch)
    }

    /// The picture of a URL, from the cache or from its server.
    ///
    /// When all who wait for a picture are cancelled, its request is.
    ///
    /// - Throws: ``TransferError``, `contentType` if the server states none of pictures; ``PictureError``; `CancellationError`.
    public func picture(at url: URL) async throws -> Picture {
        let url = Self.withoutFragment(url)
        let waiter = state.withLock { state in
            state.count += 1
            return state.count
        }
        defer { state.withLock { _ = $0.left.remove(waiter) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(url, waiter, $0) }
        } onCancel: {
            leave(url, waiter)
        }
    }

    /// The row of a list, which shows one picture at a time.
    public func row() -> PictureRow { PictureRow(self) }

    /// How many wait for the picture of a URL.
    func waiterCount(of url: URL) -> Int { state.withLock { $0.loads[url]?.waiters.count ?? 0 } }

    private func join(_ url: URL, _ waiter: Int, _ continuation: CheckedContinuation<Picture, any Error>) {
        let now = configuration.now()
        let error: (any Error)? = state.withLock { state in
            guard !state.left.contains(waiter) else { return CancellationError() }
            if let failure = state.failures[url] {
                guard failure.end <= now else { return failure.error }
                state.failures[url] = nil
                state.failureOrder.remove(url)
            }
            if state.loads[url] == nil { state.loads[url] = begin(url, number: waiter) }
            state.loads[url]?.waiters[waiter] = continuation
            return nil
        }
        if let error { continuation.resume(throwing: error) }
    }

    private func begin(_ url: URL, number: Int) -> Load {
        let task = Task.detached { [self] in
            do {
                end(url, number, .success(try await fetch.picture(at: url)))
            } catch {
                end(url, number, .failure(error))
            }
        }
        return Load(number: number, task: task)
    }

    private func leave(_ url: URL, _ waiter: Int) {
        let continuation: CheckedContinuation<Picture, any Error>? = state.withLock { state in
            guard let continuation = state.loads[url]?.waiters.removeValue(forKey: waiter) else {
                state.left.insert(waiter)
                return nil
            }
            if state.loads[url]?.waiters.isEmpty == true { state.loads.removeValue(forKey: url)?.task?.cancel() }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func end(_ url: URL, _ number: Int, _ result: Result<Picture, any Error>) {
        let waiters: [Int: CheckedContinuation<Picture, any Error>] = state.withLock { state in
            // Another one for the URL may have begun after this one was cancelled.
            guard let load = state.loads[url], load.number == number else { return [:] }
            state.loads[url] = nil
            if case .failure(let error) = result { remember(error, of: url, &state) }
            return load.waiters
        }
        for continuation in waiters.values { continuation.resume(with: result) }
    }

    private func remember(_ error: any Error, of url: URL, _ state: inout State) {
        guard error is TransferError || error is PictureError, configuration.failureLifetime > 0 else { return }
        state.failures[url] = (configuration.now().addingTimeInterval(configuration.failureLifetime), error)
        state.failureOrder.insert(url, size: 1)
        for key in state.failureOrder.shrink(to: Self.greatestFailures) { state.failures[key] = nil }
    }

    /// What follows `#` is not sent.
    private static func withoutFragment(_ url: URL) -> URL {
        guard url.fragment != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return url
        }
        parts.fragment = nil
        return parts.url ?? url
    }
}
