extension Statement {
    /// What the executions since the last call cost; counting begins anew.
    package func takeCost() -> StatementCost { StatementCost(takenFrom: handle) }
}
