/// The names in archives of predicates, for reading and writing.
///
/// Source: the compiled models and the compiled mapping model that Apple's tools wrote. None of these files contains a
/// subquery, a set operation, a conditional, `ANYKEY`, an assignment or an index by word; their keys follow the pattern
/// of the others.
enum PredicateArchive {
    /// The deepest nesting of predicates and expressions that is read or written.
    static let depth = 200
    /// The largest number of predicates and expressions in an archive, with a shared one counted for each reference.
    static let parts = 200_000

    enum Name {
        static let truth = "NSTruePredicate"
        static let falsehood = "NSFalsePredicate"
        static let comparison = "NSComparisonPredicate"
        static let compound = "NSCompoundPredicate"
        static let evaluatedObject = "NSSelfExpression"
        static let constant = "NSConstantValueExpression"
        static let variable = "NSVariableExpression"
        static let keyPath = "NSKeyPathExpression"
        static let keyPathSpecifier = "NSKeyPathSpecifierExpression"
        static let function = "NSFunctionExpression"
        static let aggregate = "NSAggregateExpression"
        static let subquery = "NSSubqueryExpression"
        static let conditional = "NSTernaryExpression"
        static let set = "NSSetExpression"
        static let anyKey = "NSAnyKeyExpression"
        static let assignment = "NSVariableAssignmentExpression"
        static let fetch = "NSFetchRequestExpression"
        static let symbol = "NSSymbolicExpression"
        static let sortDescriptor = "NSSortDescriptor"
        /// The receiver of every predefined function.
        static let functions = "_NSPredicateUtilities"
    }

    enum Key {
        static let compoundType = "NSCompoundPredicateType"
        static let subpredicates = "NSSubpredicates"
        static let left = "NSLeftExpression"
        static let right = "NSRightExpression"
        static let comparisonOperator = "NSPredicateOperator"
        static let operatorType = "NSOperatorType"
        static let modifier = "NSModifier"
        static let flags = "NSFlags"
        static let options = "NSOptions"
        static let expressionType = "NSExpressionType"
        static let constant = "NSConstantValue"
        static let constantClass = "NSConstantValueClassName"
        static let variable = "NSVariable"
        static let keyPath = "NSKeyPath"
        static let operand = "NSOperand"
        static let selector = "NSSelectorName"
        static let arguments = "NSArguments"
        static let collection = "NSCollection"
        static let expression = "NSExpression"
        static let predicate = "NSPredicate"
        static let whenTrue = "NSTrueExpression"
        static let whenFalse = "NSFalseExpression"
        static let symbol = "NSToken"
        static let request = "NSFRExpression"
        static let context = "NSMOCExpression"
        static let isCountOnly = "NSCountOnlyFlag"
        static let sortKey = "NSKey"
        static let sortAscending = "NSAscending"
        static let sortSelector = "NSSelector"
        static let sortNullOrder = "NSReverseNullOrder"
    }

    /// The archived class of an operator, which depends on its kind: order, equality, range, text or membership.
    static func operatorClass(of type: NSComparisonPredicate.Operator) -> String {
        switch type {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: "NSComparisonPredicateOperator"
        case .equalTo, .notEqualTo: "NSEqualityPredicateOperator"
        case .between: "NSBetweenPredicateOperator"
        case .beginsWith, .endsWith: "NSSubstringPredicateOperator"
        case .matches: "NSMatchingPredicateOperator"
        case .like: "NSLikePredicateOperator"
        case .in, .contains, .customSelector: "NSInPredicateOperator"
        }
    }

    static func tooDeep(_ what: String) -> ArchiveError {
        ArchiveError(.limitExceeded, "\(what) nests deeper than \(depth)")
    }
}
