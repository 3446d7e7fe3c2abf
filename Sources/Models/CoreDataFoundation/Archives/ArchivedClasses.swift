/// The superclasses of the classes in archives of models and predicates, as Apple's archives list them.
enum ArchivedClasses {
    /// The superclass of each class, by name; a class that is not listed inherits directly from `NSObject`.
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

    /// The name of a class, followed by those of its superclasses up to `NSObject`.
    static func line(of name: String) -> [String] {
        var line = [name]
        while let above = superclasses[line[line.count - 1]] { line.append(above) }
        return line + ["NSObject"]
    }
}
