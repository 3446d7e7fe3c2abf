extension Pushdown {
    /// What a database can evaluate of a condition: an upper bound, true wherever the condition is, and a lower bound,
    /// true only where the condition is.
    struct Condition {
        /// True wherever the condition is true.
        let upper: SQLExpression
        /// True only where the condition is true.
        let lower: SQLExpression
        /// Whether the two bounds are the same.
        let isExact: Bool

        static let unknown = Condition(upper: .truth(true), lower: .truth(false), isExact: false)

        init(upper: SQLExpression, lower: SQLExpression, isExact: Bool) {
            self.upper = upper
            self.lower = lower
            self.isExact = isExact
        }

        /// An exact condition; `unknown` for nil.
        init(_ exact: SQLExpression?) {
            self = exact.map { Condition(upper: $0, lower: $0, isExact: true) } ?? .unknown
        }

        /// A condition with the result of `test`, except where `doubt` is true, where the result is unknown.
        init(_ test: SQLExpression, unless doubt: SQLExpression) {
            guard doubt != .truth(false) else {
                self.init(test)
                return
            }
            self.init(
                upper: .disjunction([test, doubt]), lower: .conjunction([doubt.negated, test]), isExact: false)
        }

        /// A test of a value; `unknown` if the value is nil.
        init(_ value: PushedValue?, _ test: (SQLExpression) -> SQLExpression) {
            self = value.map { Condition(test($0.expression), unless: $0.doubt) } ?? .unknown
        }

        var negated: Condition { Condition(upper: lower.negated, lower: upper.negated, isExact: isExact) }

        /// True where the database cannot decide the condition.
        var doubt: SQLExpression { isExact ? .truth(false) : .conjunction([upper, lower.negated]) }
    }
}
