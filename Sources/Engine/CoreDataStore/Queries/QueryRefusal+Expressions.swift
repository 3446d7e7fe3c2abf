extension QueryRefusal {
    /// The error for an expression that cannot be evaluated; stores and contexts report the same one.
    package static func make(_ error: ExpressionError) -> NSError {
        make(expression: error.description, underlying: error)
    }

    /// The error for an expression that cannot be evaluated, made of the description of an `ExpressionError`.
    package static func make(expression text: String, underlying: any Error) -> NSError {
        let isTooExpensive = text == ExpressionError.patternTooExpensive.description
        return CoreDataError.make(
            NSCoreDataError, text,
            hint: isTooExpensive
                ? "Write a pattern in which no repetition is within another, or ask for fewer objects first." : nil,
            underlying: underlying)
    }

    /// Runs a block that evaluates expressions of a request.
    ///
    /// - Throws: `NSCoreDataError` in place of an `ExpressionError`, and other errors of the block unchanged.
    package static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ExpressionError {
            throw make(error)
        }
    }
}
