import CoreData

/// One error of those that an error is made of: detailed ones of a save, and those beneath it.
///
/// Values of attributes are left out: of a broken rule the description alone is told.
package struct ErrorDetail: Sendable {
    private static let (mostDetails, greatestDepth) = (200, 8)

    package let domain: String
    package let code: Int
    package let text: String
    /// What helps; nil where nobody knows.
    package let cure: String?
    /// How deep the error lies below the one that was thrown.
    package let depth: Int

    private init(_ error: NSError, depth: Int) {
        (domain, code, self.depth) = (error.domain, error.code, depth)
        text = PrintableText.escaped(error.localizedDescription, limit: 500)
        let own = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
        cure = Self.cure(error.domain, error.code) ?? own.map { PrintableText.escaped($0, limit: 500) }
    }

    /// The error, and those that it was made of or caused by, each behind the one that has it.
    package static func all(of error: any Error) -> [ErrorDetail] {
        var found: [ErrorDetail] = []
        func add(_ error: NSError, _ depth: Int) {
            guard found.count < mostDetails, depth <= greatestDepth else { return }
            found.append(ErrorDetail(error, depth: depth))
            for part in error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [] { add(part, depth + 1) }
            if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { add(cause, depth + 1) }
        }
        add(error as NSError, 0)
        return found
    }

    /// What is done about an error of validation or of a save.
    package static func cure(_ domain: String, _ code: Int) -> String? {
        guard domain == NSCocoaErrorDomain else { return nil }
        return switch code {
        case NSValidationMissingMandatoryPropertyError: "give the value that is missing"
        case NSValidationRelationshipDeniedDeleteError:
            "delete what the relationship leads to first, or lead it elsewhere"
        case NSValidationRelationshipLacksMinimumCountError: "add members to the relationship"
        case NSValidationRelationshipExceedsMaximumCountError: "remove members of the relationship"
        case NSManagedObjectConstraintMergeError: "change the object that has the value, or give another value"
        case NSManagedObjectMergeError: "look at what somebody else saved, and choose"
        case 1551...1699: "give a value that the model allows"
        default: nil
        }
    }

    /// "Unresolved error" with domain, code and description, a line an error, those below others indented.
    package static func log(_ error: any Error) -> [String] {
        all(of: error).map { detail in
            let start = detail.depth == 0 ? "Unresolved error" : String(repeating: "  ", count: detail.depth) + "-"
            let cure = detail.cure.map { " (\($0))" } ?? ""
            return "\(start) \(detail.domain) \(detail.code): \(detail.text)\(cure)"
        }
    }

    /// `{"domain", "code", "text", "cure", "depth"}`
    package var json: JSONValue {
        .object([
            ("domain", .string(domain)), ("code", .count(code)), ("text", .string(text)), ("cure", .text(cure)),
            ("depth", .count(depth)),
        ])
    }
}
