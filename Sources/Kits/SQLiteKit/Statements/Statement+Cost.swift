extension Statement {
    /// The cost of the executions since the last call; resets the counters.
    package func takeCost() -> StatementCost { StatementCost(takenFrom: handle) }
}
