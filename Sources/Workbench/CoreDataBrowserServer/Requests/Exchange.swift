import CMicroHTTPD
import CoreDataBrowser
import HTTPServerKit
import Synchronization

/// One request and its answer, between the daemon's thread and the task that answers.
///
/// Invariants:
/// 1. The connection is suspended while neither side can continue: while the page works, while the page does not ask
///    for more of the request's body, and while the next piece of the answer is not ready.
/// 2. At most one piece of each body is stored here; the faster side waits for the other.
/// 3. The connection is resumed only while it is suspended; at the latest, `abandon` resumes it.
/// 4. The daemon retains the exchange from the first callback to the last.
final class Exchange: Sendable {
    /// Identifies the exchange among all exchanges of a server.
    let number: UInt64
    /// Path and query as received; nil if they are not UTF-8.
    let target: String?
    /// The length of the received target in bytes.
    let targetSize: Int
    let connection: ConnectionHandle
    let browser: Browser
    let tasks: RunningTasks
    let places: ConnectionPlaces
    let state = Mutex(State())

    struct State: Sendable {
        var task: Task<Void, Never>?
        /// The method and header fields of the request, once they have been received.
        var head: RequestHead?
        var isSuspended = false
        /// Whether the client has disconnected, the exchange is complete, or the server ends.
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
        /// The continuation of the page's task while it waits for a piece.
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        /// The number of bytes that were discarded because the page had already answered.
        var discarded = 0
    }

    /// The answer's body on its way to the client.
    struct Download: Sendable {
        var piece: ArraySlice<UInt8> = []
        var isComplete = false
        var hasFailed = false
        /// The continuation of the page's task while it waits until its piece has been sent.
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

    /// Whether the answer is a stream of events, which lasts until the client disconnects.
    var isEndless: Bool {
        state.withLock { $0.answer?.headers["Content-Type"]?.hasPrefix("text/event-stream") == true }
    }

    /// Ends the exchange early: cancels the task, and makes the daemon close the connection.
    func abandon() {
        finish { state in
            guard state.isSuspended else { return }
            state.isSuspended = false
            connection.resume()
        }
    }

    /// Ends the exchange after the daemon has completed the request.
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

    /// Suspends the connection. To be called by the daemon's thread, with the state locked.
    func suspend(_ state: inout State) {
        state.isSuspended = true
        connection.suspend()
    }

    /// Resumes the connection if it is suspended. To be called with the state locked.
    func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        connection.resume()
    }
}
