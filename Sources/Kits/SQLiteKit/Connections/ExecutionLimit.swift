/// The greatest cost of one execution of a statement, after which it is stopped with `interrupted`.
package struct ExecutionLimit: Sendable, Equatable {
    /// The greatest number of instructions of SQLite's virtual machine, counted in steps of a thousand.
    package var instructions: Int?
    /// The greatest time since the start of the execution; not checked while the execution waits for a lock.
    package var duration: Duration?

    package init(instructions: Int? = nil, duration: Duration? = nil) {
        self.instructions = instructions
        self.duration = duration
    }
}
