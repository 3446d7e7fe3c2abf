extension Pushdown {
    /// What a database can decide of a condition: one that holds wherever it does, and one that holds nowhere else.
    struct Condition {
        /// Holds wherever the condition does.
        let upper: SQLExpression
        /// Holds only where the condition does.
        let lower: SQLExpression
        /// Whether the two are the same.
        let isExact: Bool

        static let unknown = Condition(upper: .truth(true), lower: .truth(false), isExact: false)

        init(upper: SQLExpression, lower: SQLExpression, isExact: Bool) {
            self.upper = upper
            self.lower = lower
            self.isExact = isExact
        }

        /// An exact condition; unknown for nil.
        init(_ exact: SQLExpression?) {
            self = exact.map { Condition(upper: $0, lower: $0, isExact: true) } ?? .unknown
        }

        /// One that is as a test says, but for where it is in doubt.
        init(_ test: SQLExpression, unless doubt: SQLExpression) {
            guard doubt != .truth(false) else {
                self.init(test)
                return
            }
            self.init(
                upper: .disjunction([test, doubt]), lower: .conjunction([doubt.negated, test]), isExact: false)
        }

        /// A test of a value; unknown without a value.
        init(_ value: PushedValue?, _ test: (SQLExpression) -> SQLExpression) {
            self = value.map { Condition(test($0.expression), unless: $0.doubt) } ?? .unknown
        }

        var negated: Condition { Condition(upper: lower.negated, lower: upper.negated, isExact: isExact) }

        /// Where the database cannot decide.
        var doubt: SQLExpression { isExact ? .truth(false) : .conjunction([upper, lower.negated]) }
    }
}
