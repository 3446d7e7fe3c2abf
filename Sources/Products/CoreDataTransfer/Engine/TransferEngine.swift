import CCurl
import Foundation
import FoundationNetworking
import LockKit
import Synchronization

/// Runs the transfers of a session on one thread, by libcurl's multi interface.
final class TransferEngine: @unchecked Sendable {
    private enum Command {
        case submit(Transfer, @Sendable (Result<HTTPURLResponse, any Error>) -> Void)
        case cancel(Transfer)
        case resume(Transfer)
    }

    private struct State {
        var commands: [Command] = []
        var active = 0
        var isRunning = false
        var isStopped = false
    }

    let configuration: TransferConfiguration
    private let state = Locked(State())
    /// libcurl's handle; its functions are called on the session's thread alone, but for the one that wakes it.
    private let multi: UnsafeMutableRawPointer?
    // Of the session's thread.
    private var queue: TransferQueue
    private var running: [UnsafeMutableRawPointer: Connection] = [:]
    /// The transfers that were taken up and have not ended.
    private var known = 0
    private let rounds = Atomic(0)
    private let cookies: UnsafeMutableRawPointer?

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init(_ configuration: TransferConfiguration) {
        self.configuration = configuration
        queue = TransferQueue(
            greatest: configuration.maximumTransfers, greatestPerHost: configuration.maximumTransfersPerHost)
        let isReady = Self.isReady
        multi = isReady ? curl_multi_init() : nil
        cookies = isReady && configuration.keepsCookies ? ccurl_share_cookies() : nil
    }

    deinit {
        if let multi { curl_multi_cleanup(multi) }
        if let cookies { curl_share_cleanup(cookies) }
    }

    // MARK: Any thread

    var activeCount: Int { state.withLock { $0.active } }
    /// How often the thread has looked for work.
    var roundCount: Int { rounds.load(ordering: .relaxed) }

    /// Begins a transfer as soon as there is room; the block is called once, when it has ended.
    func submit(_ transfer: Transfer, _ finish: @escaping @Sendable (Result<HTTPURLResponse, any Error>) -> Void) {
        guard multi != nil else {
            let error = TransferError(.invalidRequest, transfer.request.url, "libcurl cannot be initialized")
            return finish(.failure(error))
        }
        let starts = state.withLock { state in
            state.commands.append(.submit(transfer, finish))
            state.active += 1
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { start() } else { wake() }
    }

    /// Ends a transfer as soon as possible, whether or not it has begun.
    func cancel(_ transfer: Transfer) {
        transfer.isCancelled.store(true, ordering: .releasing)
        send(.cancel(transfer))
    }

    /// Goes on with a transfer whose receiver had no room.
    func resume(_ transfer: Transfer) { send(.resume(transfer)) }

    /// Ends the thread, after all transfers.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    private func send(_ command: Command) {
        let isRunning = state.withLock { state in
            if state.isRunning { state.commands.append(command) }
            return state.isRunning
        }
        if isRunning { wake() }
    }

    private func wake() {
        if let multi { curl_multi_wakeup(multi) }
    }

    private func start() {
        let thread = Thread { [self] in run() }
        thread.name = "CoreDataTransfer"
        thread.start()
    }

    // MARK: The session's thread

    /// Milliseconds to wait for something to happen; libcurl waits less where one of its own clocks runs.
    private static let longestWait: Int32 = 600_000

    private func run() {
        guard let multi else { return }
        Self.blockBrokenPipes()
        while true {
            rounds.add(1, ordering: .relaxed)
            let (commands, isStopped) = state.withLock { state in
                defer { state.commands.removeAll() }
                return (state.commands, state.isStopped)
            }
            for command in commands { perform(command) }
            if isStopped { cancelAll() }
            startWaiting()
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            var result = CURLE_OK
            var hasEnded = false
            while let handle = ccurl_next_ended(multi, &result) {
                end(handle, result)
                hasEnded = true
            }
            if isStopped, running.isEmpty { return }
            if !hasEnded { curl_multi_poll(multi, nil, 0, Self.longestWait, nil) }
        }
    }

    /// A connection that the server has closed is an error of its transfer, not a signal that ends the process.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(Int32(SIG_BLOCK), &signals, nil)
    }

    private func perform(_ command: Command) {
        switch command {
        case .submit(let transfer, let finishing):
            transfer.finish = finishing
            known += 1
            if known == 1 { configuration.onActivityChange?(true) }
            if transfer.isCancelled.load(ordering: .acquiring) {
                finish(transfer, .failure(CancellationError()))
            } else {
                queue.append(transfer)
            }
        case .cancel(let transfer):
            guard transfer.finish != nil else { return }
            // Its caller need not wait for libcurl, whose older versions end a name's lookup first.
            finish(transfer, .failure(CancellationError()))
            if let connection = running.values.first(where: { $0.transfer === transfer }) { remove(connection) }
        case .resume(let transfer):
            if let connection = running.values.first(where: { $0.transfer === transfer }) { connection.resume() }
        }
    }

    private func cancelAll() {
        for connection in Array(running.values) {
            finish(connection.transfer, .failure(CancellationError()))
            remove(connection)
        }
        for transfer in queue.removeAll() where transfer.finish != nil {
            finish(transfer, .failure(CancellationError()))
        }
    }

    private func startWaiting() {
        while let transfer = queue.next() {
            guard transfer.finish != nil else {
                // It was cancelled while it waited.
                queue.end(transfer.hostKey)
                continue
            }
            if transfer.deadline == nil, let limit = configuration.transferTimeout {
                transfer.deadline = DispatchTime.now().uptimeNanoseconds + RequestSettings.nanoseconds(limit)
            }
            do {
                let connection = try Connection(transfer, configuration: configuration, cookies: cookies)
                guard let multi, curl_multi_add_handle(multi, connection.handle) == CURLM_OK else {
                    throw TransferError(.invalidRequest, transfer.request.url, "there is no memory for a transfer")
                }
                running[connection.handle] = connection
            } catch {
                queue.end(transfer.hostKey)
                finish(transfer, .failure(error))
            }
        }
    }

    /// Hands out the result of a request, or goes where it is redirected to.
    private func end(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let connection = running[handle] else { return }
        let transfer = connection.transfer
        let result = Result { try connection.outcome(code) }
        remove(connection)
        switch result {
        case .success(.response(let response)): finish(transfer, .success(response))
        case .failure(let error): finish(transfer, .failure(error))
        case .success(.redirected(let redirection)):
            do {
                guard transfer.redirects < configuration.maximumRedirects else {
                    throw TransferError(
                        .tooManyRedirects, transfer.request.url, "more than \(configuration.maximumRedirects) redirects"
                    )
                }
                try transfer.follow(redirection)
                queue.append(transfer)
            } catch {
                finish(transfer, .failure(error))
            }
        }
    }

    /// Ends a connection's part in the work; its socket is closed unless it can be used again.
    private func remove(_ connection: Connection) {
        if let multi { curl_multi_remove_handle(multi, connection.handle) }
        running[connection.handle] = nil
        queue.end(connection.transfer.hostKey)
    }

    private func finish(_ transfer: Transfer, _ result: Result<HTTPURLResponse, any Error>) {
        guard let block = transfer.finish.take() else { return }
        state.withLock { $0.active -= 1 }
        known -= 1
        if known == 0 { configuration.onActivityChange?(false) }
        block(result)
    }
}
