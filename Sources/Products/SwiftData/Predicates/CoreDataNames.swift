import CoreDataFoundation

// Foundation has unusable classes of the same names.
typealias NSExpression = CoreDataFoundation.NSExpression
typealias NSComparisonPredicate = CoreDataFoundation.NSComparisonPredicate
typealias NSCompoundPredicate = CoreDataFoundation.NSCompoundPredicate
