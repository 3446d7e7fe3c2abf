import CoreData
import Dispatch
import Synchronization

extension ReadCancellation {
    /// - Throws: `CancellationError` where what runs now is to end.
    package static func check() throws {
        if current?.isCancelled == true { throw CancellationError() }
    }

    /// Runs asynchronous work while the thread waits for it; the work's task is cancelled with the current cancellation.
    ///
    /// - Throws: what the work throws, and `CancellationError`.
    package static func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let (ended, result) = (DispatchSemaphore(value: 0), AwaitedResult<Value>())
        let task = Task {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.value.withLock { $0 = outcome }
            ended.signal()
        }
        func value() throws -> Value {
            ended.wait()
            guard let outcome = result.value.withLock({ $0 }) else { throw CancellationError() }
            return try outcome.get()
        }
        guard let current else { return try value() }
        do {
            return try current.reading(with: { task.cancel() }, value)
        } catch {
            task.cancel()
            throw error
        }
    }
}

/// What a task hands over to the thread that waits for it.
private final class AwaitedResult<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
}
