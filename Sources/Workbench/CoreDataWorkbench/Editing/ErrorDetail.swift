import CoreData

/// An error, one of the detailed errors of a save, or an underlying error.
///
/// Attribute values are left out: for a broken validation rule only the description and the names of object and
/// property are included.
package struct ErrorDetail: Sendable {
    private static let (mostDetails, mostLines, greatestDepth) = (200, 20, 8)

    package let domain: String
    package let code: Int
    /// The constant of the code; nil for a number without one.
    package let name: String?
    package let text: String
    /// A remedy; nil where none is known.
    package let cure: String?
    /// The object, the property and the file in the error's user info, by the keys of the user info.
    package let info: [(key: String, text: String)]
    /// The number of levels between the thrown error and this one; 0 for the thrown error.
    package let depth: Int

    private init(_ error: NSError, depth: Int, _ naming: (NSManagedObject) -> String?) {
        (domain, code, self.depth) = (error.domain, error.code, depth)
        name = ErrorEntry.of(error)?.name
        text = PrintableText.escaped(ErrorText.description(of: error), limit: 500)
        let own = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
        cure = Self.cure(error.domain, error.code) ?? own.map { PrintableText.escaped($0, limit: 500) }
        let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        let places = [
            (NSValidationObjectErrorKey, object.map { naming($0) ?? Self.name($0) }),
            (NSValidationKeyErrorKey, error.userInfo[NSValidationKeyErrorKey] as? String),
            (NSFilePathErrorKey, error.userInfo[NSFilePathErrorKey] as? String),
        ]
        info = places.compactMap { key, text in text.map { (key, PrintableText.escaped($0, limit: 200)) } }
    }

    private static func name(_ object: NSManagedObject) -> String {
        object.objectID.isTemporaryID ? object.entity.name ?? "" : object.objectID.shortText
    }

    /// The error, followed by its detailed and underlying errors, each after the error that contains it.
    package static func all(of error: any Error) -> [ErrorDetail] { all(of: error, most: mostDetails) { _ in nil } }

    private static func all(
        of error: any Error, most: Int, naming: (NSManagedObject) -> String?
    ) -> [ErrorDetail] {
        var found: [ErrorDetail] = []
        visit(error as NSError, depth: 0) { error, depth in
            if found.count < most { found.append(ErrorDetail(error, depth: depth, naming)) }
        }
        return found
    }

    /// Calls `body` with an error and its detailed and underlying errors.
    private static func visit(_ error: NSError, depth: Int, body: (NSError, Int) -> Void) {
        guard depth <= greatestDepth else { return }
        body(error, depth)
        for part in error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [] {
            visit(part, depth: depth + 1, body: body)
        }
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { visit(cause, depth: depth + 1, body: body) }
    }

    /// A remedy for an error of validation or of a save; nil for other errors.
    package static func cure(_ domain: String, _ code: Int) -> String? {
        guard domain == NSCocoaErrorDomain else { return nil }
        return switch code {
        case NSValidationMissingMandatoryPropertyError: "give the value that is missing"
        case NSValidationRelationshipDeniedDeleteError:
            "delete what the relationship leads to first, or lead it elsewhere"
        case NSValidationRelationshipLacksMinimumCountError: "add members to the relationship"
        case NSValidationRelationshipExceedsMaximumCountError: "remove members of the relationship"
        case NSManagedObjectConstraintMergeError: "change the object that has the value, or give another value"
        case NSManagedObjectMergeError: "look at what another user or program saved, and choose"
        case 1551...1699: "give a value that the model allows"
        default: nil
        }
    }

    /// The lines of a log, one for each error: "Unresolved error" with domain, code and its name, description, remedy
    /// and place. Contained errors are indented. At most twenty lines, then the number of further errors.
    ///
    /// - Parameter naming: Returns the name of an object; nil for the default name.
    package static func log(
        _ error: any Error, naming: (NSManagedObject) -> String? = { _ in nil }
    ) -> [String] {
        var count = 0
        visit(error as NSError, depth: 0) { _, _ in count += 1 }
        let lines = all(of: error, most: mostLines, naming: naming).map(\.line)
        return count > mostLines ? lines + ["  … and \(count - mostLines) more"] : lines
    }

    /// The lines of a log for an error with detailed errors; empty for any other error, for which a single line
    /// suffices.
    package static func logOfSeveral(
        _ error: any Error, naming: (NSManagedObject) -> String? = { _ in nil }
    ) -> [String] {
        (error as NSError).userInfo[NSDetailedErrorsKey] is [NSError] ? log(error, naming: naming) : []
    }

    private var line: String {
        let start = depth == 0 ? "Unresolved error" : String(repeating: "  ", count: depth) + "-"
        let places = info.map { " \($0.key)=\($0.text)" }.joined()
        let number = [String(code), name].compactMap(\.self).joined(separator: " ")
        return "\(start) \(domain) \(number): \(text)\(cure.map { " (\($0))" } ?? "")\(places)"
    }

    /// `{"domain", "code", "name", "text", "cure", "info", "depth"}`
    package var json: JSONValue {
        .object([
            ("domain", .string(domain)), ("code", .count(code)), ("name", .text(name)), ("text", .string(text)),
            ("cure", .text(cure)),
            ("info", .object(info.map { ($0.key, .string($0.text)) })), ("depth", .count(depth)),
        ])
    }
}
