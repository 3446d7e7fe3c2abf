import Dispatch

/// Work on a thread whose stack is large enough for sources within the limits of `Nesting`.
enum DeepStack {
    /// What the work gives, handed over once: the thread that waits reads it when the other is done.
    private final class Outcome<Value>: @unchecked Sendable {
        let work: () throws -> Value
        var result: Result<Value, any Error>?

        init(_ work: @escaping () throws -> Value) { self.work = work }
    }

    /// Does the work and waits for it.
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
