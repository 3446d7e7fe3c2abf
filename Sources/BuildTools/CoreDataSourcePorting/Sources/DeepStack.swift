import Dispatch

/// Runs work on a thread whose stack is large enough for sources within the limits of `Nesting`.
enum DeepStack {
    /// The work and its result: the new thread sets the result once, and the waiting thread reads it after the
    /// semaphore's signal.
    private final class Outcome<Value>: @unchecked Sendable {
        let work: () throws -> Value
        var result: Result<Value, any Error>?

        init(_ work: @escaping () throws -> Value) { self.work = work }
    }

    /// Runs the work on a new thread, waits for it and returns its result.
    ///
    /// - Throws: what the work throws.
    static func run<Value>(_ work: @escaping () throws -> Value) throws -> Value {
        let outcome = Outcome(work)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            outcome.result = Result { try outcome.work() }
            done.signal()
        }
        thread.stackSize = Nesting.stackSize
        thread.start()
        done.wait()
        guard let result = outcome.result else { throw ModelingError(.limitExceeded, "no result was handed over") }
        return try result.get()
    }
}
