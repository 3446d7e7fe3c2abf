import Foundation
import FoundationNetworking
import LockKit

/// A body in chunks, in the order in which they came. One task may go through it, once.
public struct TransferChunks: AsyncSequence, Sendable {
    public typealias Element = Data

    private let life: Life

    init(_ stream: ChunkReceiver, session: TransferSession) { life = Life(stream, session) }

    /// Goes through the chunks. `next` throws what the transfer failed with, and `CancellationError` if the task was
    /// cancelled before the transfer had ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let life: Life

        public func next() async throws -> Data? { try await life.stream.next() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(life: life) }

    /// Ends the transfer when the sequence and its iterators are gone; the session lives until then.
    fileprivate final class Life: Sendable {
        let stream: ChunkReceiver
        private let session: TransferSession

        init(_ stream: ChunkReceiver, _ session: TransferSession) { (self.stream, self.session) = (stream, session) }

        deinit { stream.cancel() }
    }
}

/// Hands a body over to the task that reads it.
final class ChunkReceiver: BodyReceiver {
    /// Where reading from the network stops and where it continues, in bytes that wait.
    private static let (greatest, least) = (256 << 10, 64 << 10)

    private struct State {
        var chunks: [Data] = []
        var next = 0
        var waitingBytes = 0
        var isPaused = false
        var isStopped = false
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var response: CheckedContinuation<HTTPURLResponse, any Error>?
        var transfer: Transfer?
        var engine: TransferEngine?
        var received = 0
    }
    private let state = Locked(State())

    /// The places for chunks in memory, those of chunks that have been taken included.
    var storedChunkCount: Int { state.withLock { $0.chunks.count } }

    func attach(to transfer: Transfer, of engine: TransferEngine) {
        state.withLock { ($0.transfer, $0.engine) = (transfer, engine) }
    }

    func onResponse(_ continuation: CheckedContinuation<HTTPURLResponse, any Error>) {
        state.withLock { $0.response = continuation }
    }

    func begin(_ response: HTTPURLResponse) {
        let waiting = state.withLock { $0.response.take() }
        waiting?.resume(returning: response)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        enum Outcome {
            case taken, full
            case handedTo(CheckedContinuation<Data?, any Error>)
            case tooLarge(Int, URL?)
        }
        let outcome = state.withLock { state -> Outcome in
            guard state.waitingBytes < Self.greatest else {
                state.isPaused = true
                return .full
            }
            state.received += bytes.count
            if let limit = state.transfer?.options.maximumBodySize, state.received > limit {
                return .tooLarge(limit, state.transfer?.request.url)
            }
            if let reader = state.reader.take() { return .handedTo(reader) }
            state.chunks.append(Data(bytes))
            state.waitingBytes += bytes.count
            return .taken
        }
        switch outcome {
        case .taken: break
        case .full: return false
        case .handedTo(let reader): reader.resume(returning: Data(bytes))
        case .tooLarge(let limit, let url): throw TransferError.tooLarge(limit, url)
        }
        return true
    }

    /// Ends the sequence, or hands out the failure to the task that waits for the response.
    func end(_ result: Result<HTTPURLResponse, any Error>) {
        let (response, reader) = state.withLock { state in
            state.end = result.map { _ in }
            (state.transfer, state.engine) = (nil, nil)
            return (state.response.take(), state.reader.take())
        }
        response?.resume(with: result)
        reader?.resume(with: result.map { _ in nil })
    }

    /// The next chunk; nil at the end.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Outcome {
                    case chunk(Data)
                    case ended(Result<Void, any Error>)
                    case waiting, second
                }
                let (outcome, resumed) = state.withLock { state -> (Outcome, (Transfer, TransferEngine)?) in
                    if let chunk = Self.removeFirst(&state) {
                        guard state.isPaused, state.waitingBytes <= Self.least, let transfer = state.transfer,
                            let engine = state.engine
                        else { return (.chunk(chunk), nil) }
                        state.isPaused = false
                        return (.chunk(chunk), (transfer, engine))
                    }
                    if let end = state.end { return (.ended(end), nil) }
                    if state.isStopped { return (.ended(.failure(CancellationError())), nil) }
                    guard state.reader == nil else { return (.second, nil) }
                    state.reader = continuation
                    return (.waiting, nil)
                }
                if let (transfer, engine) = resumed { engine.resume(transfer) }
                switch outcome {
                case .chunk(let chunk): continuation.resume(returning: chunk)
                case .ended(let end): continuation.resume(with: end.map { nil })
                case .waiting: break
                case .second: preconditionFailure("two tasks go through one sequence of chunks")
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the transfer; a task that reads gets `CancellationError`.
    func cancel() {
        let (transfer, engine) = state.withLock { state in
            state.isStopped = true
            return (state.transfer, state.engine)
        }
        if let transfer { engine?.cancel(transfer) }
    }

    private static func removeFirst(_ state: inout State) -> Data? {
        guard state.next < state.chunks.count else { return nil }
        let chunk = state.chunks[state.next]
        state.chunks[state.next] = Data()
        state.next += 1
        state.waitingBytes -= chunk.count
        if state.next == state.chunks.count || state.next >= 64 {
            state.chunks.removeFirst(state.next)
            state.next = 0
        }
        return chunk
    }
}
