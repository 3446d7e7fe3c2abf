import Foundation

// Open-source Foundation lacks this expression; the macro of its toolchain refuses `other.evaluate($0)`.
extension PredicateExpressions {
    /// Whether values meet a predicate.
    public struct PredicateEvaluate<Condition: PredicateExpression, each Argument: PredicateExpression>:
        PredicateExpression
    where Condition.Output == Predicate<repeat (each Argument).Output> {
        /// The predicate.
        public let predicate: Condition
        /// The values.
        public let input: (repeat each Argument)

        /// Evaluates the expression in memory.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try predicate.evaluate(bindings).evaluate(repeat (each input).evaluate(bindings))
        }
    }

    /// A predicate that another one names. Cannot be encoded, since open-source Foundation encodes no predicates.
    public struct CapturedPredicate<each Input>: StandardPredicateExpression {
        let value: Predicate<repeat each Input>

        init(_ value: Predicate<repeat each Input>) { self.value = value }

        /// Returns the predicate.
        public func evaluate(_ bindings: PredicateBindings) throws -> Predicate<repeat each Input> { value }

        /// Throws an error.
        public func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                value, .init(codingPath: encoder.codingPath, debugDescription: "a predicate cannot be encoded"))
        }

        /// Throws an error.
        public init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a predicate cannot be decoded"))
        }
    }
}

extension PredicateExpressions.PredicateEvaluate: Sendable where Condition: Sendable, repeat each Argument: Sendable {}

extension PredicateExpressions.PredicateEvaluate: Codable where Condition: Codable, repeat each Argument: Codable {
    /// Writes the predicate and the values as a list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(predicate)
        repeat try container.encode(each input)
    }

    /// Reads the predicate and the values from a list.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        predicate = try container.decode(Condition.self)
        input = (repeat try container.decode((each Argument).self))
    }
}

extension PredicateExpressions.PredicateEvaluate: StandardPredicateExpression
where Condition: StandardPredicateExpression, repeat each Argument: StandardPredicateExpression {}
