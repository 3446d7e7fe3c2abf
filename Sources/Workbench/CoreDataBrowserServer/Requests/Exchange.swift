import CMicroHTTPD
import CoreDataBrowser
import Synchronization

/// One request and its answer, between the daemon's thread and the task that answers.
///
/// Invariants:
/// 1. The connection is suspended while neither side has anything for the other: while the page works, while the client does not
///    ask for more of the request's body, and while the answer's next piece is not there.
/// 2. Of either body at most one piece waits here; a side that is ahead waits for the other.
/// 3. The connection is resumed only while it is suspended, which is so until `isOver` at the latest.
/// 4. The daemon holds the exchange from the first callback to the last.
final class Exchange: Sendable {
    /// What names the exchange among all of a server.
    let number: UInt64
    /// Path and query as they came; nil for what is not UTF-8.
    let target: String?
    /// The bytes of the target as it came.
    let targetSize: Int
    let connection: ConnectionHandle
    let browser: Browser
    let tasks: RunningTasks
    let places: ConnectionPlaces
    let state = Mutex(State())

    struct State: Sendable {
        var task: Task<Void, Never>?
        /// The request's first part, once it is there.
        var head: RequestHead?
        var isSuspended = false
        /// The client has gone, the exchange is complete, or the server ends.
        var isOver = false
        var request = Upload()
        var answer: BrowserResponse?
        var response = Download()
    }

    /// The request's body on its way to the page.
    struct Upload: Sendable {
        /// Whether the daemon was allowed to continue from the header fields to the body.
        var hasBegun = false
        var isComplete = false
        var piece: [UInt8]?
        /// The page, which waits for a piece.
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        /// Bytes that were not read since the page had answered.
        var discarded = 0
    }

    /// The answer's body on its way to the client.
    struct Download: Sendable {
        var piece: ArraySlice<UInt8> = []
        var isComplete = false
        var hasFailed = false
        /// The page, which waits for its piece to be sent.
        var writer: CheckedContinuation<Void, Never>?
    }

    init(
        _ number: UInt64, target: String?, bytes: Int, connection: ConnectionHandle, browser: Browser,
        tasks: RunningTasks, places: ConnectionPlaces
    ) {
        targetSize = bytes
        self.places = places
        self.number = number
        self.target = target
        self.connection = connection
        self.browser = browser
        self.tasks = tasks
    }

    /// Whether the answer is a stream of events, which goes on for as long as the client is there.
    var isEndless: Bool {
        state.withLock { $0.answer?.headers["Content-Type"]?.hasPrefix("text/event-stream") == true }
    }

    /// Ends the exchange from outside: the task is cancelled, and the daemon closes the connection.
    func abandon() {
        finish { state in
            guard state.isSuspended else { return }
            state.isSuspended = false
            connection.resume()
        }
    }

    /// Ends the exchange when the daemon is done with it.
    func complete() { finish { _ in } }

    private func finish(_ body: (inout State) -> Void) {
        let (task, reader, writer) = state.withLock { state in
            defer {
                state.isOver = true
                state.task = nil
                state.request.reader = nil
                state.response.writer = nil
                body(&state)
            }
            return (state.task, state.request.reader, state.response.writer)
        }
        task?.cancel()
        reader?.resume(throwing: CancellationError())
        writer?.resume()
    }

    /// Waits until there is something to do. To be called by the daemon's thread, with the state held.
    func suspend(_ state: inout State) {
        state.isSuspended = true
        connection.suspend()
    }

    /// Has the daemon go on where it waits. To be called with the state held.
    func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        connection.resume()
    }
}
