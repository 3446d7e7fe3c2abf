/// How much one execution of a statement may cost before it is stopped with `interrupted`.
package struct ExecutionLimit: Sendable, Equatable {
    /// Instructions of SQLite's virtual machine, counted in steps of a thousand.
    package var instructions: Int?
    /// Time from the execution's start, waiting for locks not counted while it lasts.
    package var duration: Duration?

    package init(instructions: Int? = nil, duration: Duration? = nil) {
        self.instructions = instructions
        self.duration = duration
    }
}
