import CoreData

extension NSExpressionDescription {
    /// A calculated property for a fetch of dictionaries: a function of one argument.
    ///
    /// - Parameter function: The name with its colon, such as `sum:`.
    package convenience init(_ name: String, function: String, of argument: NSExpression, type: NSAttributeType) {
        self.init()
        self.name = name
        expression = NSExpression(forFunction: function, arguments: [argument])
        expressionResultType = type
    }
}

extension InspectionError {
    /// Runs a query; if the store cannot evaluate its condition, the error names the query.
    ///
    /// - Throws: `InspectionError` of code `badPredicate` for such a condition; other errors of `body`.
    package static func namingQuestion<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as NSError where error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError {
            throw InspectionError(.badPredicate, subject: "question", cause: ErrorText.line(for: error))
        }
    }
}
