extension PredicateFormatting where Self: NSPredicate {
    /// A copy with values in place of variables; the receiver stays as it is.
    ///
    /// Names are without the dollar sign. A variable that `variables` does not contain stays a variable.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let result = VariableSubstitution(values: variables).applied(to: self)
        guard let same = result as? Self else { stop("\(Self.self) cannot be copied with values for its variables") }
        return same
    }
}

extension NSPredicate {
    /// The names of the variables that need a value for evaluation, without dollar signs.
    package var variableNames: Set<String> {
        var collector = VariableCollector()
        collector.visit(self)
        return collector.names
    }
}
