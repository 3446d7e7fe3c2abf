import CoreDataStore

extension SQLFunctionLibrary {
    /// An SQL aggregate function that computes one value from all rows of a group.
    package struct Accumulation: Sendable {
        package let name: String
        private let function: ExpressionFunction

        /// Creates the object that collects the values of one group.
        package func makeAccumulator() -> Accumulator { Accumulator(function) }

        init(_ function: ExpressionFunction) {
            self.function = function
            name = SQLFunctionLibrary.groupName(of: function)
        }
    }

    /// Collects the values of one group; each value is passed with the number of its kind.
    package struct Accumulator {
        private var accumulator: GroupAccumulator

        init(_ function: ExpressionFunction) { accumulator = GroupAccumulator(function) }

        /// Adds the value of a row, or the elements of a list; a value that is not of its kind counts as nil.
        ///
        /// - Throws: `ExpressionError.wrongType` for a kind that the function cannot use.
        package mutating func add(_ value: SQLParameter, kind: SQLParameter) throws {
            guard case .integer(let kind) = kind else { return }
            let found = SQLFunctionLibrary.value(value, ofKind: kind)
            guard kind >= Int64(SQLFunctionLibrary.listKinds) else { return try accumulator.add(found) }
            for element in found as? [Any] ?? [] { try accumulator.add(element) }
        }

        package func result() throws -> SQLParameter { parameter(for: try accumulator.result()) }
    }

    /// The aggregate functions that SQL lacks, or whose results have other digits in SQL than in memory.
    package static let accumulations: [Accumulation] = aggregated.map { Accumulation($0) } + [Accumulation(.mode)]

    /// The name of the aggregate function over the rows of a group.
    static func groupName(of function: ExpressionFunction) -> String {
        name(of: function).replacing("coredata_", with: "coredata_group_", maxReplacements: 1)
    }
}
