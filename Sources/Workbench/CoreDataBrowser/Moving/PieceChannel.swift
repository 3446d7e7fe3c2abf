import Dispatch
import Synchronization

/// Passes pieces from a thread to a task: the thread waits until each piece is taken, so pieces do not accumulate.
///
/// One thread calls `put`, one task calls `next`. After the task is cancelled, the thread's next `put` throws.
final class PieceChannel: Sendable {
    private enum State {
        case empty
        case full([UInt8])
        /// The task waits for a piece or the end.
        case awaited(CheckedContinuation<[UInt8]?, any Error>)
        case ended((any Error)?)
        case abandoned
    }

    private let state = Mutex(State.empty)
    private let taken = DispatchSemaphore(value: 0)

    /// Passes a piece to the task; waits until the task takes it.
    ///
    /// - Throws: `CancellationError` where the reader has ended.
    func put(_ piece: [UInt8]) throws {
        let reader = try state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            switch state {
            case .awaited(let reader):
                state = .empty
                return reader
            case .abandoned: throw CancellationError()
            default:
                state = .full(piece)
                return nil
            }
        }
        if let reader { return reader.resume(returning: piece) }
        taken.wait()
        if state.withLock({ if case .abandoned = $0 { true } else { false } }) { throw CancellationError() }
    }

    /// Ends the sequence of pieces, with or without an error.
    func end(_ failure: (any Error)? = nil) {
        let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            defer { state = .ended(failure) }
            return if case .awaited(let reader) = state { reader } else { nil }
        }
        guard let reader else { return }
        if let failure { reader.resume(throwing: failure) } else { reader.resume(returning: nil) }
    }

    /// The next piece; nil at the end.
    ///
    /// - Throws: The error with which the sequence ended, and `CancellationError`.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                let result = state.withLock { state -> Result<[UInt8]?, any Error>? in
                    switch state {
                    case .full(let piece):
                        state = .empty
                        taken.signal()
                        return .success(piece)
                    case .ended(let failure): return failure.map { .failure($0) } ?? .success(nil)
                    case .abandoned, .awaited: return .failure(CancellationError())
                    case .empty:
                        state = .awaited(reader)
                        return nil
                    }
                }
                if let result { reader.resume(with: result) }
            }
        } onCancel: {
            abandon()
        }
    }

    /// Records that the reader has ended, and resumes both sides if they wait.
    func abandon() {
        let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            if case .ended = state { return nil }
            defer { state = .abandoned }
            switch state {
            case .awaited(let reader): return reader
            case .full: taken.signal()
            default: break
            }
            return nil
        }
        reader?.resume(throwing: CancellationError())
    }
}
