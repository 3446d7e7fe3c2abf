/// The classes above those that archives of models and predicates hold, as Apple's archives list them.
enum ArchivedClasses {
    /// Each class with the one above it; a class that is not listed stands directly below `NSObject`.
    private static let superclasses: [String: String] = [
        "NSMutableArray": "NSArray", "NSMutableDictionary": "NSDictionary", "NSMutableString": "NSString",
        "NSMutableSet": "NSSet", "NSKnownKeysDictionary": "NSMutableDictionary",
        "NSKnownKeysDictionary1": "NSKnownKeysDictionary", "NSKnownKeysMappingStrategy1": "NSKnownKeysMappingStrategy",
        "NSNumber": "NSValue", "NSDecimalNumber": "NSNumber", "NSDecimalNumberPlaceholder": "NSDecimalNumber",
        "NSAttributeDescription": "NSPropertyDescription", "NSRelationshipDescription": "NSPropertyDescription",
        "NSFetchedPropertyDescription": "NSPropertyDescription",
        "NSDerivedAttributeDescription": "NSAttributeDescription",
        "NSCompositeAttributeDescription": "NSAttributeDescription", "NSFetchRequest": "NSPersistentStoreRequest",
        "NSComparisonPredicate": "NSPredicate", "NSCompoundPredicate": "NSPredicate", "NSTruePredicate": "NSPredicate",
        "NSFalsePredicate": "NSPredicate", "NSComparisonPredicateOperator": "NSPredicateOperator",
        "NSEqualityPredicateOperator": "NSPredicateOperator", "NSInPredicateOperator": "NSPredicateOperator",
        "NSBetweenPredicateOperator": "NSPredicateOperator", "NSStringPredicateOperator": "NSPredicateOperator",
        "NSSubstringPredicateOperator": "NSStringPredicateOperator",
        "NSMatchingPredicateOperator": "NSStringPredicateOperator",
        "NSLikePredicateOperator": "NSMatchingPredicateOperator", "NSSelfExpression": "NSExpression",
        "NSConstantValueExpression": "NSExpression", "NSVariableExpression": "NSExpression",
        "NSFunctionExpression": "NSExpression", "NSKeyPathExpression": "NSFunctionExpression",
        "NSKeyPathSpecifierExpression": "NSExpression", "NSAggregateExpression": "NSExpression",
        "NSSubqueryExpression": "NSExpression", "NSTernaryExpression": "NSExpression",
        "NSSetExpression": "NSExpression", "NSAnyKeyExpression": "NSExpression",
        "NSSymbolicExpression": "NSExpression", "NSFetchRequestExpression": "NSExpression",
        "NSVariableAssignmentExpression": "NSExpression",
    ]

    /// The class and all above it, down to `NSObject`.
    static func line(of name: String) -> [String] {
        var line = [name]
        while let above = superclasses[line[line.count - 1]] { line.append(above) }
        return line + ["NSObject"]
    }
}
