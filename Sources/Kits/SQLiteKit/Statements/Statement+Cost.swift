extension Statement {
    /// What the executions since the last call cost; the counters are then reset.
    package func takeCost() -> StatementCost { StatementCost(takenFrom: handle) }
}
