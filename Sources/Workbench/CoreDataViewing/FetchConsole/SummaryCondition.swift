import CoreData

/// The condition that groups must meet, which compares the columns of a summary by their names.
///
/// Since a condition can name only columns, it cannot reveal attributes that a user may not see.
struct SummaryCondition {
    let predicate: NSPredicate

    /// - Throws: `InspectionError` of code `badPredicate` with the position of the error in the text, or with the names
    ///   of the columns.
    init(_ text: String, columns: [String]) throws {
        do {
            predicate = try NSPredicate(parsing: text)
        } catch let error as PredicateParseError {
            throw InspectionError(
                .badPredicate, subject: "having",
                cause: "at character \(error.position + 1): found \(error.found), expected \(error.expected)",
                excerpt: error.excerpt)
        }
        try Self.check(predicate, columns)
    }

    private static func check(_ predicate: NSPredicate, _ columns: [String]) throws {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            try check(comparison.leftExpression, columns)
            try check(comparison.rightExpression, columns)
        case let compound as Foundation.NSCompoundPredicate:
            for part in compound.subpredicates { try check(part, columns) }
        default: break
        }
    }

    private static func check(_ expression: NSExpression, _ columns: [String]) throws {
        switch expression.form {
        case .constant: break
        case .keyPath(nil, let path) where columns.contains(path): break
        case .aggregate(let parts): for part in parts { try check(part, columns) }
        case .function(let function, let parts)
        where !SummaryAggregate.Function.allCases.contains { function.rawValue == $0.rawValue + ":" }:
            for part in parts { try check(part, columns) }
        default:
            throw InspectionError(
                .badPredicate, subject: "having",
                cause: "'\(PrintableText.escaped(expression.description, limit: 80))' is not a column of the result",
                hint: "its columns are \(columns.joined(separator: ", "))")
        }
    }
}
